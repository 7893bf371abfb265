"""Sentences are spoken in the background."""

from devices.speech import Speech


class Talk:
    def __init__(self, command):
        self.command, self.killed = command, False

    def poll(self):
        return -9 if self.killed else None

    def kill(self):
        self.killed = True


def test_what_is_new_interrupts_what_is_old():
    said = []
    speech = Speech(lambda command: said.append(Talk(command)) or said[-1], "espeak-ng")
    speech.say("Twoja kolej.", "pl", 50)
    speech.say("Your turn.", "en")
    assert [talk.killed for talk in said] == [True, False]
    assert said[0].command == ["espeak-ng", "-v", "pl", "-s", "150", "-a", "100", "--", "Twoja kolej."]
    speech.hush()
    assert said[1].killed


def test_no_volume_says_nothing():
    said = []
    Speech(said.append, "espeak-ng").say("Hush.", "en", 0)
    assert not said


def test_words_that_look_like_an_option_stay_words():
    said = []
    speech = Speech(lambda command: said.append(Talk(command)) or said[-1], "espeak-ng")
    speech.say("-h", "en")
    assert said[0].command[-2:] == ["--", "-h"]


def test_a_program_that_cannot_be_started_is_silence():
    def broken(command):
        raise FileNotFoundError(command[0])

    speech = Speech(broken, "/nowhere/espeak-ng")
    assert speech.there
    speech.say("Anybody?", "en")
    assert not speech.there
    speech.say("No.", "en")

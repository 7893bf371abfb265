"""One file per screen."""

from companion.ui.screen import Screen
from companion.ui.screens.binder import BinderScreen
from companion.ui.screens.broken import Broken
from companion.ui.screens.choose import ChooseScreen
from companion.ui.screens.correct import Correct
from companion.ui.screens.history import History
from companion.ui.screens.home import Home
from companion.ui.screens.labels import Labels
from companion.ui.screens.map import MapScreen
from companion.ui.screens.new import NewPlay
from companion.ui.screens.plays import Plays
from companion.ui.screens.scan import Scan
from companion.ui.screens.score import Score
from companion.ui.screens.score_only import ScoreOnly
from companion.ui.screens.seat import SeatScreen
from companion.ui.screens.settings import SettingsScreen
from companion.ui.screens.table import Table

_ALL = (
    BinderScreen,
    Broken,
    ChooseScreen,
    Correct,
    History,
    Home,
    Labels,
    MapScreen,
    NewPlay,
    Plays,
    Scan,
    Score,
    ScoreOnly,
    SeatScreen,
    SettingsScreen,
    Table,
)

SCREENS: dict[str, type[Screen]] = {screen.name: screen for screen in _ALL}

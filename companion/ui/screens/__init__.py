"""One file per screen."""

from companion.ui.screens.binder.screen import BinderScreen
from companion.ui.screens.broken import Broken
from companion.ui.screens.choose import ChooseScreen
from companion.ui.screens.correct import Correct
from companion.ui.screens.demonstrations import Demonstrations
from companion.ui.screens.evenings.evening import EveningScreen
from companion.ui.screens.evenings.people import PeoplePage
from companion.ui.screens.evenings.stats import Stats
from companion.ui.screens.evenings.steps import Steps
from companion.ui.screens.evenings.take_along import TakeAlong
from companion.ui.screens.evenings.typed_result import TypedResultScreen
from companion.ui.screens.evenings.words_page import WordsPage
from companion.ui.screens.faces import FacesPage
from companion.ui.screens.hall import HallPage
from companion.ui.screens.history import History
from companion.ui.screens.home import Home
from companion.ui.screens.how_it_works import HowItWorks
from companion.ui.screens.labels import Labels
from companion.ui.screens.map.screen import MapScreen
from companion.ui.screens.name_tile import NameTile
from companion.ui.screens.new.screen import NewPlay
from companion.ui.screens.own import OwnGame
from companion.ui.screens.phones import Phones
from companion.ui.screens.plays import Plays
from companion.ui.screens.scan.screen import Scan
from companion.ui.screens.score.screen import Score
from companion.ui.screens.score_only.screen import ScoreOnly
from companion.ui.screens.settings.screen import SettingsScreen
from companion.ui.screens.table.screen import TableScreen
from companion.ui.screens.tool import ToolScreen
from companion.ui.screens.welcome import Welcome
from companion.ui.screens.wifi import Wifi
from companion.ui.toolkit.screen import Screen

_ALL = (
    BinderScreen,
    Broken,
    ChooseScreen,
    Correct,
    Demonstrations,
    EveningScreen,
    FacesPage,
    HallPage,
    History,
    Home,
    HowItWorks,
    Labels,
    MapScreen,
    NameTile,
    NewPlay,
    OwnGame,
    PeoplePage,
    Phones,
    Plays,
    Scan,
    Score,
    ScoreOnly,
    SettingsScreen,
    Stats,
    Steps,
    TableScreen,
    TakeAlong,
    ToolScreen,
    TypedResultScreen,
    Welcome,
    Wifi,
    WordsPage,
)

SCREENS: dict[str, type[Screen]] = {screen.name: screen for screen in _ALL}

"""One file per screen."""

from companion.ui.screens.binder.screen import BinderScreen
from companion.ui.screens.broken import Broken
from companion.ui.screens.choose import ChooseScreen
from companion.ui.screens.correct import Correct
from companion.ui.screens.demonstrations import Demonstrations
from companion.ui.screens.history import History
from companion.ui.screens.home import Home
from companion.ui.screens.how_it_works import HowItWorks
from companion.ui.screens.labels import Labels
from companion.ui.screens.map.screen import MapScreen
from companion.ui.screens.name_tile import NameTile
from companion.ui.screens.new.screen import NewPlay
from companion.ui.screens.own import OwnGame
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
    History,
    Home,
    HowItWorks,
    Labels,
    MapScreen,
    NameTile,
    NewPlay,
    OwnGame,
    Plays,
    Scan,
    Score,
    ScoreOnly,
    SettingsScreen,
    TableScreen,
    ToolScreen,
    Welcome,
    Wifi,
)

SCREENS: dict[str, type[Screen]] = {screen.name: screen for screen in _ALL}

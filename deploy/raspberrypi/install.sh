#!/bin/sh
# From a copy of this project to a Raspberry Pi that starts into the companion. Run it as often as you like: what is
# done already is left alone, and what was interrupted is gone on with. README.md beside this file explains it.
set -eu

usage() {
    cat <<'END'
sudo ./install.sh [OPTIONS]         install, or bring an installation up to this copy
sudo ./install.sh --uninstall       take everything away again; your plays are kept

  --dry-run            say what would be done, and do nothing
  --yes                do not ask before beginning
  --rotate 0|90|180|270  how the picture is turned
  --counters           switch I2C on, for counters
  --strip              switch SPI on, for a strip of lights
  --power-button PIN   a button at this GPIO switches the Pi off; GPIO 3 also wakes it, but is needed by counters
  --anyway             go on although this is no Pi, system or size anybody has thought of
  --delete-plays       with --uninstall: your plays, too
END
}

root=${COMPANION_PREFIX:-}
here=$(dirname -- "$(readlink -f -- "$0")")
source=$(readlink -f -- "$here/../..")
base=$root/opt/tabletop-companion
data=$root/var/lib/tabletop-companion
etc=$root/etc/tabletop-companion
log=$root/var/log/tabletop-companion-install.log

# Exit codes: those of set-up (docs/setup.md), 16 for a machine that will not do, 2 for words not understood.
USAGE=2 SYSTEM=11 NETWORK=12 DISK=13 OTHER=15 MACHINE=16

NEEDED_KB=1500000 # the program with its packages, twice: the new version is put beside the old one
NEEDED="ca-certificates git python3 libgl1 libegl1 libgles2 libgl1-mesa-dri libgbm1 libmtdev1 libzbar0 sudo util-linux udev"
WANTED="python3-lgpio python3-picamera2 espeak-ng" # pins, the Pi's own camera, a voice; Debian has not all of them

dry='' yes='' anyway='' uninstall='' delete=''
# What was chosen the last time holds until something else is chosen.
remembered() { sed -n "s/^$1=\([0-9]*\)\$/\1/p" "$etc/options" 2>/dev/null || true; }
counters=$(remembered counters) strip=$(remembered strip) rotate=$(remembered rotate) button=$(remembered button)
while [ $# -gt 0 ]; do
    case $1 in
    --dry-run) dry=1 ;;
    --yes) yes=1 ;;
    --anyway) anyway=1 ;;
    --uninstall) uninstall=1 ;;
    --delete-plays) delete=1 ;;
    --counters) counters=1 ;;
    --strip) strip=1 ;;
    --rotate)
        shift
        case ${1-} in
        0 | 90 | 180 | 270) rotate=$1 ;;
        *)
            usage >&2
            exit $USAGE
            ;;
        esac
        ;;
    --power-button)
        shift
        case ${1-} in
        '' | *[!0-9]*)
            usage >&2
            exit $USAGE
            ;;
        *) button=$1 ;;
        esac
        ;;
    --help | -h)
        usage
        exit 0
        ;;
    *)
        usage >&2
        exit $USAGE
        ;;
    esac
    shift
done
if [ -n "$delete" ] && [ -z "$uninstall" ]; then
    echo "--delete-plays belongs to --uninstall." >&2
    exit $USAGE
fi
if [ "$button" = 3 ] && [ -n "$counters" ]; then
    echo "GPIO 3 is needed by counters: choose another pin for the power button." >&2
    exit $USAGE
fi

# ---- telling and doing ----------------------------------------------------------------------------------------

say() {
    printf '%s\n' "$*"
    [ -n "$dry" ] || printf '%s %s\n' "$(date '+%F %T')" "$*" >>"$log"
}

fail() {
    code=$1
    shift
    say "$*" >&2
    [ -n "$dry" ] || echo "What happened is in $log. Start this again when it is mended: it goes on from here." >&2
    exit "$code"
}

steps=8 step=0
begin() {
    step=$((step + 1))
    say "[$step/$steps] $*"
}

# Do it, or only say so; what it says goes to the log.
run() {
    if [ -n "$dry" ]; then
        echo "    would run: $*"
    else
        printf '$ %s\n' "$*" >>"$log"
        "$@" >>"$log" 2>&1
    fi
}

# Put a file in its place, unless the same is there.
put() {
    if cmp -s -- "$1" "$2"; then return 0; fi
    run install -D -m "$3" -- "$1" "$2"
}

# ---- is this a machine for it? --------------------------------------------------------------------------------

# Something that speaks against going on.
objection() {
    if [ -n "$anyway" ]; then
        say "    $* Going on anyway."
    else
        fail $MACHINE "$* (--anyway goes on nevertheless.)"
    fi
}

check_machine() {
    begin "Looking at this machine"
    machine=$(uname -m) packages=$(dpkg --print-architecture 2>/dev/null || echo unknown)
    if [ "$machine" != aarch64 ] || [ "$packages" != arm64 ]; then
        objection "This is $machine with packages for $packages; a 64-bit Raspberry Pi OS is needed."
    fi
    system=$(sed -n 's/^VERSION_CODENAME=//p' "$root/etc/os-release" 2>/dev/null || true)
    case $system in
    bookworm | trixie) say "    System: Debian or Raspberry Pi OS, $system" ;;
    *) objection "This system calls itself '$system'; bookworm or trixie is needed." ;;
    esac
    model=$(tr -d '\0' <"$root/proc/device-tree/model" 2>/dev/null || true)
    case $model in
    *"Raspberry Pi "[45]* | *"Raspberry Pi "[45]00* | *"Compute Module "[45]*) say "    Model: $model" ;;
    '') objection "This is no Raspberry Pi." ;;
    *) objection "$model is slower than anything this was made for; a Pi 4 or 5 is." ;;
    esac
    memory=$(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' "$root/proc/meminfo")
    if [ "${memory:-0}" -lt 900000 ]; then
        objection "There is $((${memory:-0} / 1024)) MB of memory; 1 GB is needed."
    fi
    say "    Memory: $((memory / 1024)) MB"
    folder=$root/opt
    [ -d "$folder" ] || folder=${root:-/}
    free=$(df -Pk "$folder" | awk 'NR == 2 { print $4 }')
    if [ "${free:-0}" -lt $NEEDED_KB ]; then
        fail $DISK "$((${free:-0} / 1024)) MB are free; $((NEEDED_KB / 1024)) MB are needed. Use a larger card, or make room."
    fi
    say "    Free: $((free / 1024)) MB"
    if grep -qsx connected "$root"/sys/class/drm/card*-*/status; then
        say "    Screen: connected"
    else
        say "    Screen: none is connected now. Connect one before the Pi starts."
    fi
    if ls "$root"/dev/video[0-9]* >/dev/null 2>&1; then
        say "    Camera: there is one"
    else
        say "    Camera: none is connected now. Everything else works without."
    fi
}

explain() {
    cat <<END

This will
  - install packages of the system: $NEEDED
    and, where this system has them: $WANTED
  - make a user 'companion', who may use screen, touch, camera, pins and sound, and cannot log in
  - put the companion into $base, and its plays into $data
  - let it start with the power, on the screen without a desktop; logs are kept in memory
  - change config.txt and cmdline.txt in a way that --uninstall takes back
Your own files are not touched. It takes some ten minutes, most of it waiting for downloads.

END
    if [ -z "$yes" ] && [ -z "$dry" ] && [ -t 0 ]; then
        printf 'Begin? [Y/n] '
        read -r answer
        case $answer in n* | N*) exit 0 ;; esac
    fi
}

# ---- the steps ------------------------------------------------------------------------------------------------

install_packages() {
    begin "Packages of the system"
    export DEBIAN_FRONTEND=noninteractive
    missing=
    for package in $NEEDED; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
    done
    wanted=
    for package in $WANTED; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || wanted="$wanted $package"
    done
    if [ -z "$missing$wanted" ]; then return 0; fi
    run dpkg --configure -a || fail $SYSTEM "An earlier installation of packages was interrupted and cannot be ended."
    # A machine that has just been switched on may be busy with its own updates for a while.
    if ! run apt-get -qy -o DPkg::Lock::Timeout=300 update && [ -n "$missing" ]; then
        fail $NETWORK "The package registry cannot be reached; is this machine on the internet?"
    fi
    # shellcheck disable=SC2086 # a list of names
    if [ -n "$missing" ]; then
        run apt-get -qy -o DPkg::Lock::Timeout=300 install --no-install-recommends $missing ||
            fail $SYSTEM "Not all packages could be installed:$missing."
    fi
    for package in $wanted; do
        if [ -z "$(apt-cache show "$package" 2>/dev/null)" ]; then
            say "    This system has no $package; going on without."
        else
            run apt-get -qy -o DPkg::Lock::Timeout=300 install --no-install-recommends "$package" ||
                say "    $package could not be installed; going on without."
        fi
    done
}

make_user() {
    begin "A user for it"
    for group in gpio i2c spi; do
        getent group $group >/dev/null || run groupadd --system $group
    done
    getent passwd companion >/dev/null ||
        run useradd --system --user-group --home-dir /var/lib/tabletop-companion --no-create-home \
            --shell /usr/sbin/nologin companion
    groups=
    for group in video render input gpio i2c spi audio; do
        if [ -n "$dry" ] || getent group $group >/dev/null; then groups="$groups,$group"; fi
    done
    run usermod --append --groups "${groups#,}" companion
    run install -d -m 0700 -o companion -g companion -- "$data"
    run install -d -m 0755 -- "$etc"
}

install_system_files() {
    begin "Services"
    put "$here/companion_update.py" "$root/usr/local/sbin/companion-update" 755
    for tool in companion-request companion-stick; do put "$here/system/$tool" "$root/usr/local/sbin/$tool" 755; done
    for unit in "$here"/system/*.service "$here"/system/*.path; do
        put "$unit" "$root/etc/systemd/system/$(basename -- "$unit")" 644
    done
    put "$here/system/60-tabletop-companion.rules" "$root/etc/udev/rules.d/60-tabletop-companion.rules" 644
    put "$here/system/tabletop-companion.tmpfiles" "$root/etc/tmpfiles.d/tabletop-companion.conf" 644
    put "$here/system/tabletop-companion.journald" "$root/etc/systemd/journald.conf.d/tabletop-companion.conf" 644
    if [ -z "$dry" ]; then
        printf 'counters=%s\nstrip=%s\nrotate=%s\nbutton=%s\n' "$counters" "$strip" "$rotate" "$button" >"$etc/options"
        printf 'COMPANION_ROTATE=%s\n' "${rotate:-0}" >"$etc/environment"
    fi
}

install_program() {
    begin "The companion itself"
    if [ -n "$dry" ]; then
        echo "    would run: companion-update $source"
        return 0
    fi
    first=
    [ -L "$base/current" ] || first=1
    code=0
    COMPANION_FIRST=$first python3 "$here/companion_update.py" "$source" >>"$log" 2>&1 || code=$?
    case $code in
    0) ;;
    12) fail $NETWORK "Packages of Python cannot be fetched; is this machine on the internet?" ;;
    13) fail $DISK "The card is full." ;;
    3) fail $OTHER "The new version did not come up; the one before runs again." ;;
    *) fail $OTHER "The companion could not be made ready." ;;
    esac
}

boot_folder() {
    for folder in "$root/boot/firmware" "$root/boot"; do
        if [ -f "$folder/config.txt" ]; then
            echo "$folder"
            return 0
        fi
    done
}

# config.txt and cmdline.txt without what we put there.
without_ours() { sed '/^# tabletop-companion begin$/,/^# tabletop-companion end$/d' "$1"; }
ours="consoleblank=0 vt.global_cursor_default=0 logo.nologo"

# Replace a file of the boot partition in one move: it must be whole whenever the power goes.
replace() {
    if cmp -s -- "$1.companion" "$1"; then
        rm -f -- "$1.companion"
    else
        sync "$1.companion" 2>/dev/null || true
        mv -f -- "$1.companion" "$1"
    fi
}

change_boot() {
    begin "Screen, buses and power button"
    boot=$(boot_folder)
    if [ -z "$boot" ]; then
        say "    There is no config.txt here; nothing to change."
        return 0
    fi
    if [ -n "$dry" ]; then
        echo "    would change: $boot/config.txt, $boot/cmdline.txt"
        return 0
    fi
    [ -f "$boot/config.txt.before-companion" ] || cp -- "$boot/config.txt" "$boot/config.txt.before-companion"
    {
        without_ours "$boot/config.txt"
        echo "# tabletop-companion begin"
        echo "[all]"
        without_ours "$boot/config.txt" | grep -q '^dtoverlay=vc4-kms-v3d' || echo "dtoverlay=vc4-kms-v3d"
        [ -z "$counters" ] || echo "dtparam=i2c_arm=on"
        [ -z "$strip" ] || echo "dtparam=spi=on"
        [ -z "$button" ] || echo "dtoverlay=gpio-shutdown,gpio_pin=$button"
        echo "disable_splash=1"
        echo "# tabletop-companion end"
    } >"$boot/config.txt.companion"
    replace "$boot/config.txt"
    if [ -f "$boot/cmdline.txt" ]; then
        line=$(head -n 1 "$boot/cmdline.txt")
        for word in $ours; do
            case " $line " in
            *" $word "*) ;;
            *)
                line="$line $word"
                grep -qsx "$word" "$etc/cmdline" || echo "$word" >>"$etc/cmdline"
                ;;
            esac
        done
        printf '%s\n' "$line" >"$boot/cmdline.txt.companion"
        replace "$boot/cmdline.txt"
    fi
}

start_with_power() {
    begin "Starting with the power"
    if [ -z "$dry" ] && [ ! -f "$etc/target" ]; then
        systemctl get-default >"$etc/target" 2>/dev/null || echo multi-user.target >"$etc/target"
    fi
    run systemctl set-default multi-user.target
    run systemd-tmpfiles --create "$root/etc/tmpfiles.d/tabletop-companion.conf" || true
    run udevadm control --reload || true
    run systemctl daemon-reload || true
    run systemctl disable getty@tty1.service || true
    run systemctl enable tabletop-companion.service tabletop-companion-requests.path ||
        fail $OTHER "The service could not be enabled."
}

last_words() {
    begin "Done"
    if [ -n "$dry" ]; then
        echo "Nothing was changed."
    else
        say "The companion starts with the power. Restart the Pi now: sudo reboot"
    fi
}

# ---- taking it away -------------------------------------------------------------------------------------------

take_away() {
    steps=3
    begin "Stopping it"
    run systemctl disable --now tabletop-companion.service tabletop-companion-requests.path || true
    if [ -f "$etc/target" ]; then run systemctl set-default "$(cat "$etc/target")" || true; fi
    run systemctl enable getty@tty1.service || true
    begin "Taking away what was put here"
    boot=$(boot_folder)
    if [ -n "$boot" ] && [ -z "$dry" ]; then
        without_ours "$boot/config.txt" >"$boot/config.txt.companion"
        replace "$boot/config.txt"
        rm -f -- "$boot/config.txt.before-companion"
        if [ -f "$boot/cmdline.txt" ] && [ -f "$etc/cmdline" ]; then
            line=" $(head -n 1 "$boot/cmdline.txt") "
            while read -r word; do
                case $line in *" $word "*) line="${line%% "$word" *} ${line#* "$word" }" ;; esac
            done <"$etc/cmdline"
            line=${line# }
            printf '%s\n' "${line% }" >"$boot/cmdline.txt.companion"
            replace "$boot/cmdline.txt"
        fi
    fi
    for unit in "$here"/system/*.service "$here"/system/*.path; do
        run rm -f -- "$root/etc/systemd/system/$(basename -- "$unit")"
    done
    run rm -f -- "$root/etc/udev/rules.d/60-tabletop-companion.rules" \
        "$root/etc/tmpfiles.d/tabletop-companion.conf" "$root/etc/systemd/journald.conf.d/tabletop-companion.conf" \
        "$root/usr/local/sbin/companion-update" "$root/usr/local/sbin/companion-request" \
        "$root/usr/local/sbin/companion-stick"
    run rm -rf -- "$base" "$etc"
    run systemctl daemon-reload || true
    begin "Your plays"
    if [ -n "$delete" ]; then
        run rm -rf -- "$data"
        if getent passwd companion >/dev/null; then run userdel companion || true; fi
        say "    deleted"
    else
        say "    are kept in $data; --uninstall --delete-plays deletes them, too"
    fi
}

# ---- go -------------------------------------------------------------------------------------------------------

if [ "$(id -u)" -ne 0 ] && [ -z "$dry" ]; then
    echo "This changes the system: start it with sudo, or look first with --dry-run." >&2
    exit $SYSTEM
fi
[ -n "$dry" ] || mkdir -p -- "$(dirname -- "$log")"
if [ -n "$uninstall" ]; then
    take_away
    exit 0
fi
check_machine
explain
install_packages
make_user
install_system_files
install_program
change_boot
start_with_power
last_words

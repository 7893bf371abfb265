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
  --read-only          the system on the card is only read from the next start on, but for plays and Wi-Fi
  --writable           no longer so
  --signed-only        the touchscreen installs signed versions only, without "Install anyway"
  --unsigned           no longer so
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
NEEDED="ca-certificates git python3 libgl1 libegl1 libgles2 libgl1-mesa-dri libgbm1 libmtdev1 libzbar0 openssh-client sudo util-linux udev"
WANTED="python3-lgpio python3-picamera2 espeak-ng" # pins, the Pi's own camera, a voice; Debian has not all of them

# Where the system is only read, it may be written for the time of this.
if [ -e "$root/run/companion-readonly" ] && [ -z "${COMPANION_WRITABLE:-}" ] && [ "$(id -u)" -eq 0 ]; then
    exec "$root/usr/local/sbin/companion-readonly" run sh "$here/install.sh" "$@"
fi

dry='' yes='' anyway='' uninstall='' delete=''
# What was chosen the last time holds until something else is chosen.
remembered() { sed -n "s/^$1=\([0-9]*\)\$/\1/p" "$etc/options" 2>/dev/null || true; }
counters=$(remembered counters) strip=$(remembered strip) rotate=$(remembered rotate) button=$(remembered button)
readonly=$(remembered readonly) unsigned=$(remembered unsigned)
while [ $# -gt 0 ]; do
    case $1 in
    --dry-run) dry=1 ;;
    --yes) yes=1 ;;
    --anyway) anyway=1 ;;
    --uninstall) uninstall=1 ;;
    --delete-plays) delete=1 ;;
    --counters) counters=1 ;;
    --strip) strip=1 ;;
    --read-only) readonly=1 ;;
    --writable) readonly= ;;
    --signed-only) unsigned=0 ;;
    --unsigned) unsigned=1 ;;
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
    for group in gpio i2c spi companion-phones companion-hall; do
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
    put "$here/companion_verify.py" "$root/usr/local/sbin/companion-verify" 755
    put "$here/companion_wifi.py" "$root/usr/local/sbin/companion-wifi" 755
    for kind in signers revoked; do put "$here/keys/$kind" "$etc/$kind" 644; done
    for tool in companion-request companion-stick companion-readonly; do put "$here/system/$tool" "$root/usr/local/sbin/$tool" 755; done
    for unit in "$here"/system/*.service "$here"/system/*.path; do
        put "$unit" "$root/etc/systemd/system/$(basename -- "$unit")" 644
    done
    put "$here/system/60-tabletop-companion.rules" "$root/etc/udev/rules.d/60-tabletop-companion.rules" 644
    put "$here/system/tabletop-companion.tmpfiles" "$root/etc/tmpfiles.d/tabletop-companion.conf" 644
    for part in journald timesyncd; do
        put "$here/system/tabletop-companion.$part" "$root/etc/systemd/$part.conf.d/tabletop-companion.conf" 644
    done
    if [ -z "$dry" ]; then
        printf 'counters=%s\nstrip=%s\nrotate=%s\nbutton=%s\nreadonly=%s\nunsigned=%s\n' \
            "$counters" "$strip" "$rotate" "$button" "$readonly" "${unsigned:-1}" >"$etc/options"
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
    COMPANION_FIRST=$first python3 -I "$here/companion_update.py" "$source" >>"$log" 2>&1 || code=$?
    case $code in
    0) ;;
    12) fail $NETWORK "Packages of Python cannot be fetched; is this machine on the internet?" ;;
    13) fail $DISK "The card is full." ;;
    3) fail $OTHER "The new version did not come up; the one before runs again." ;;
    *) fail $OTHER "The companion could not be made ready." ;;
    esac
}

# Which files say how the machine starts, if any. Debian's firmware writes config.txt and cmdline.txt itself, out of others.
boot_files() {
    settings='' words='' hook=$root/etc/kernel/postinst.d/z50-raspi-firmware
    if [ -x "$hook" ]; then
        settings=$root/etc/default/raspi-firmware-custom words=$root/etc/default/raspi-extra-cmdline
        return 0
    fi
    hook=''
    for folder in "$root/boot" "$root/boot/firmware"; do
        if [ -f "$folder/config.txt" ]; then settings=$folder/config.txt words=$folder/cmdline.txt; fi
    done
}

# Debian's firmware takes what was changed into its own files.
take_over() {
    if [ -n "$hook" ]; then
        run env DEB_MAINT_PARAMS=configure "$hook" || fail $OTHER "Debian's firmware could not take the changes over."
    fi
}

# What config.txt is to say, for the firmware and kernel of Raspberry Pi OS, or for Debian's: that has the screen and I2C on
# from the start, and hardly any overlays.
wishes() {
    echo "[all]"
    if [ -n "$hook" ]; then
        [ -z "$strip" ] || echo "dtoverlay=pi4-spidev"
    else
        without_ours "$settings" | grep -q '^dtoverlay=vc4-kms-v3d' || echo "dtoverlay=vc4-kms-v3d"
        [ -z "$counters" ] || echo "dtparam=i2c_arm=on"
        [ -z "$strip" ] || echo "dtparam=spi=on"
        [ -z "$button" ] || echo "dtoverlay=gpio-shutdown,gpio_pin=$button"
    fi
    echo "disable_splash=1"
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
    boot_files
    if [ -z "$settings" ]; then
        say "    There is no config.txt here; nothing to change."
        return 0
    fi
    if [ -n "$dry" ]; then
        echo "    would change: $settings, $words"
        return 0
    fi
    if [ -n "$hook" ]; then
        touch -- "$settings" "$words"
        [ -z "$button" ] || say "    Debian's firmware knows no power button at a pin; the one of a Pi 5 works without."
    elif [ ! -f "$settings.before-companion" ]; then
        cp -- "$settings" "$settings.before-companion"
    fi
    {
        without_ours "$settings"
        echo "# tabletop-companion begin"
        wishes
        echo "# tabletop-companion end"
    } >"$settings.companion"
    replace "$settings"
    if [ -f "$words" ]; then
        line=$(head -n 1 "$words")
        for word in $ours; do
            case " $line " in
            *" $word "*) ;;
            *)
                line="${line:+$line }$word"
                grep -qsx "$word" "$etc/cmdline" || echo "$word" >>"$etc/cmdline"
                ;;
            esac
        done
        printf '%s\n' "$line" >"$words.companion"
        replace "$words"
    fi
    take_over
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
    if [ -n "$readonly" ]; then
        # What is kept must be there, or it would not be kept.
        for folder in NetworkManager systemd/timesync systemd/rfkill; do run mkdir -p -- "$root/var/lib/$folder"; done
        run systemctl enable tabletop-companion-readonly.service || fail $OTHER "The service could not be enabled."
    else
        run systemctl disable tabletop-companion-readonly.service || true
    fi
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
    run systemctl stop tabletop-companion-phones.service tabletop-companion-hall.service || true
    run systemctl disable tabletop-companion-readonly.service || true
    if [ -f "$etc/target" ]; then run systemctl set-default "$(cat "$etc/target")" || true; fi
    run systemctl enable getty@tty1.service || true
    begin "Taking away what was put here"
    boot_files
    if [ -f "$settings" ] && [ -z "$dry" ]; then
        without_ours "$settings" >"$settings.companion"
        replace "$settings"
        rm -f -- "$settings.before-companion"
        if [ -f "$words" ] && [ -f "$etc/cmdline" ]; then
            line=" $(head -n 1 "$words") "
            while read -r word; do
                case $line in *" $word "*) line="${line%% "$word" *} ${line#* "$word" }" ;; esac
            done <"$etc/cmdline"
            line=${line# }
            printf '%s\n' "${line% }" >"$words.companion"
            replace "$words"
        fi
        if [ -n "$hook" ]; then
            for file in "$settings" "$words"; do grep -qs . "$file" || rm -f -- "$file"; done
        fi
        take_over
    fi
    for unit in "$here"/system/*.service "$here"/system/*.path; do
        run rm -f -- "$root/etc/systemd/system/$(basename -- "$unit")"
    done
    run rm -f -- "$root/etc/udev/rules.d/60-tabletop-companion.rules" \
        "$root/etc/tmpfiles.d/tabletop-companion.conf"
    for part in journald timesyncd; do
        run rm -f -- "$root/etc/systemd/$part.conf.d/tabletop-companion.conf"
    done
    for tool in update verify request stick wifi readonly; do run rm -f -- "$root/usr/local/sbin/companion-$tool"; done
    run rm -rf -- "$base" "$etc"
    run systemctl daemon-reload || true
    begin "Your plays"
    if [ -n "$delete" ]; then
        run rm -rf -- "$data" || true # where it is a partition of its own, only what is in it
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

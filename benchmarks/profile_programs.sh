#!/bin/bash
# profile_programs.sh FOLDER SECONDS [ARCHIVES]: on a machine with a GPU, compiles the programs of FOLDER/list.txt (see
# programs.py) and profiles the first launch of each of their kernels, the programs that are built while others still
# compile, until so many seconds have passed. FOLDER/csv gets the source pages, FOLDER/raw the pages that tell grids and
# blocks, FOLDER/log what the tools said. ARCHIVES, where given, is a folder for one compressed archive of these, in
# parts of 15 MB: `cat ARCHIVES/counts.tar.xz.* | tar -xJ`.
cd "$1" || exit 1
export HERE=$PWD END=$(($(date +%s) + $2)) MADE
MADE=$(mktemp -d)
mkdir -p bin log csv raw
compile() {
    IFS='|' read -r name sources _ flags <<< "$1"
    if [ ! -e "$HERE/bin/$name" ] && [ "$(date +%s)" -lt "$END" ]; then
        cd "$HERE/$name" && timeout 100 nvcc -O3 -lineinfo -arch=sm_90 $flags -o "$MADE/$name" $sources > "$HERE/log/$name" 2>&1 &&
            mv "$MADE/$name" "$HERE/bin/$name"
    fi
    touch "$MADE/$name.tried"
}
profile() {
    IFS='|' read -r name _ arguments _ <<< "$1"
    while [ ! -e "$MADE/$name.tried" ]; do
        [ "$(date +%s)" -lt "$END" ] || return
        sleep 0.3
    done
    [ -x "$HERE/bin/$name" ] && [ ! -e "$HERE/csv/$name.csv" ] && [ "$(date +%s)" -lt "$END" ] || return
    cd "$HERE/$name" && timeout -s INT -k 4 25 ncu --section SourceCounters --import-source yes --kernel-id :::1 -c 20 \
        --clock-control none -f -o "$MADE/$name" "$HERE/bin/$name" $arguments 2>&1 | tail -c 3000 >> "$HERE/log/$name"
    [ -e "$MADE/$name.ncu-rep" ] || return
    ncu --import "$MADE/$name.ncu-rep" --page source --csv --print-source cuda,sass > "$HERE/csv/$name.csv"
    ncu --import "$MADE/$name.ncu-rep" --page raw --csv > "$HERE/raw/$name.csv"
    rm "$MADE/$name.ncu-rep"
}
export -f compile profile
tr '\n' '\0' < list.txt | xargs -0 -P "$(nproc)" -I{} bash -c 'compile "$1" || true' _ {} &
tr '\n' '\0' < list.txt | xargs -0 -P 6 -I{} bash -c 'profile "$1" || true' _ {}
wait
find csv -size -2k -delete
echo "$(ls bin | wc -l) of $(wc -l < list.txt) programs built, $(ls csv | wc -l) profiled"
[ -z "$3" ] || tar -c list.txt csv raw log | xz -T0 -4 | split -b 15000000 - "$3/counts.tar.xz."

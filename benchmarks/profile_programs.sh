#!/bin/bash
# profile_programs.sh FOLDER SECONDS: on a machine with a GPU, compiles the programs of FOLDER/list.txt (see programs.py)
# and profiles the first launch of each of their kernels, until so many seconds have passed; FOLDER/csv gets the exports.
cd "$1" || exit 1
export HERE=$PWD END=$(($(date +%s) + $2))
mkdir -p bin log csv
compile() {
    IFS='|' read -r name sources _ flags <<< "$1"
    [ -e "$HERE/bin/$name" ] && return
    cd "$HERE/$name" && timeout 100 nvcc -O3 -lineinfo -arch=sm_90 $flags -o "$HERE/bin/$name" $sources > "$HERE/log/$name" 2>&1
}
profile() {
    IFS='|' read -r name _ arguments _ <<< "$1"
    [ -x "$HERE/bin/$name" ] && [ ! -e "$HERE/csv/$name.csv" ] && [ "$(date +%s)" -lt "$END" ] || return
    cd "$HERE/$name" && timeout -k 2 20 ncu --section SourceCounters --import-source yes --kernel-id :::1 -c 10 \
        --clock-control none -f -o "/tmp/$name" "$HERE/bin/$name" $arguments 2>&1 | tail -c 3000 >> "$HERE/log/$name"
    [ -e "/tmp/$name.ncu-rep" ] || return
    ncu --import "/tmp/$name.ncu-rep" --page source --csv --print-source cuda,sass > "$HERE/csv/$name.csv"
    rm "/tmp/$name.ncu-rep"
}
export -f compile profile
tr '\n' '\0' < list.txt | xargs -0 -P "$(nproc)" -I{} bash -c 'compile "$1" || true' _ {}
tr '\n' '\0' < list.txt | xargs -0 -P 5 -I{} bash -c 'profile "$1" || true' _ {}
find csv -size -2k -delete

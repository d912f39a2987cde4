# A target that lints a build's CUDA sources with the flags that they are compiled with.
#
#   find_package(Coalint)                  # before the targets: it asks CMake to write compile_commands.json
#   ...
#   coalint_add_target()                   # cmake --build build --target coalint
#
#   coalint_add_target([NAME] [PATHS path...] [TARGETS target...] [OPTIONS option...])
#
# NAME     the target (default: coalint)
# PATHS    files and folders to lint (default: the current source folder, if no TARGETS are named)
# TARGETS  targets of this build whose CUDA sources are linted
# OPTIONS  further options of `coalint lint`, as --arch=sm_90
#
# Nothing is built for it. It fails as `coalint lint` does, where a finding reaches --fail-on.
cmake_minimum_required(VERSION 3.18)
include_guard(GLOBAL)

find_program(
  COALINT_EXECUTABLE coalint
  HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin" "${CMAKE_CURRENT_LIST_DIR}/../../../Scripts"
  DOC "The command line of coalint"
)
mark_as_advanced(COALINT_EXECUTABLE)
if(NOT COALINT_EXECUTABLE)
  set(Coalint_FOUND FALSE)
  set(Coalint_NOT_FOUND_MESSAGE "there is no command `coalint`: pip install coalint")
  return()
endif()

if("${CMAKE_EXPORT_COMPILE_COMMANDS}" STREQUAL "")
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
endif()

function(coalint_add_target)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "PATHS;TARGETS;OPTIONS")
  list(LENGTH arg_UNPARSED_ARGUMENTS names)
  if(names GREATER 1)
    message(FATAL_ERROR "coalint_add_target: one name at most, not `${arg_UNPARSED_ARGUMENTS}`")
  endif()
  set(name coalint)
  if(names EQUAL 1)
    set(name "${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT CMAKE_GENERATOR MATCHES "Ninja|Makefiles")
    message(WARNING "${CMAKE_GENERATOR} writes no compile_commands.json: coalint reads the sources without their flags")
  endif()

  set(paths "${arg_PATHS}")
  foreach(target IN LISTS arg_TARGETS)
    get_target_property(sources "${target}" SOURCES)
    get_target_property(folder "${target}" SOURCE_DIR)
    foreach(source IN LISTS sources)
      if(source MATCHES "\\.cuh?$")
        get_filename_component(source "${source}" ABSOLUTE BASE_DIR "${folder}")
        list(APPEND paths "${source}")
      endif()
    endforeach()
  endforeach()
  if(NOT paths)
    if(arg_TARGETS)
      message(FATAL_ERROR "coalint_add_target: the targets `${arg_TARGETS}` have no .cu or .cuh file")
    endif()
    set(paths .)
  endif()

  add_custom_target(
    "${name}"
    COMMAND "${COALINT_EXECUTABLE}" lint -p "${CMAKE_BINARY_DIR}" ${arg_OPTIONS} ${paths}
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
    COMMENT "What the memory accesses cost"
    USES_TERMINAL
    VERBATIM
  )
endfunction()

set(Coalint_FOUND TRUE)

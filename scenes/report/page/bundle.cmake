# One step of bundling the page, see CMakeLists.txt: cmake -DSTEP=packages|page -DSOURCE= -DFOLDER= -DNODE= -DNPM=
# -DNEEDED=AUTO|ON -DTESTS=ON|OFF -P bundle.cmake. What cannot be done is an error only where the page is needed.

function(give_up stamp)
  file(REMOVE ${FOLDER}/page.js ${FOLDER}/page.css)
  list(JOIN ARGN " " text)
  if(NEEDED STREQUAL ON)
    message(FATAL_ERROR "${text}")
  endif()
  message(STATUS "Reports will be without their interactive part. ${text}")
  file(WRITE ${FOLDER}/${stamp} "absent\n")
endfunction()

function(fetch_packages)
  file(MAKE_DIRECTORY ${FOLDER})
  file(COPY ${SOURCE}/package.json ${SOURCE}/package-lock.json ${SOURCE}/.npmrc DESTINATION ${FOLDER})
  set(options --no-audit --no-fund --ignore-scripts --prefer-offline --loglevel=error --fetch-retries=1
    --fetch-retry-mintimeout=1000 --fetch-timeout=60000)
  if(NOT TESTS)
    list(APPEND options --omit=dev)
  endif()
  execute_process(COMMAND ${NPM} ci ${options} WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE status OUTPUT_VARIABLE text
    ERROR_VARIABLE text)
  if(status EQUAL 0)
    file(WRITE ${FOLDER}/packages.stamp "ready\n")
  else()
    give_up(packages.stamp "npm could not fetch its packages (to try again, remove ${FOLDER}/packages.stamp).\n${text}")
  endif()
endfunction()

function(bundle_page)
  file(STRINGS ${FOLDER}/packages.stamp packages)
  if(NOT packages STREQUAL ready)
    file(WRITE ${FOLDER}/page.stamp "absent\n")
    return()
  endif()
  file(REMOVE_RECURSE ${FOLDER}/src)
  file(COPY ${SOURCE}/src ${SOURCE}/build.mjs DESTINATION ${FOLDER})
  execute_process(COMMAND ${NODE} build.mjs . WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE status OUTPUT_VARIABLE text
    ERROR_VARIABLE text)
  # Packages are there, so that this fails only where the sources are wrong.
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "the page of reports cannot be bundled:\n${text}")
  endif()
  file(WRITE ${FOLDER}/page.stamp "ready\n")
endfunction()

if(STEP STREQUAL packages)
  fetch_packages()
else()
  bundle_page()
endif()

# find_package(Stagger) gives the target Stagger::stagger, and in Stagger_SCENES the folder of the scenes. stagger.pc
# alone lists what the library needs.
include(CMakeFindDependencyMacro)
find_dependency(PkgConfig)
set(stagger_path "$ENV{PKG_CONFIG_PATH}")
set(ENV{PKG_CONFIG_PATH} "${CMAKE_CURRENT_LIST_DIR}/../../pkgconfig:${stagger_path}")
pkg_check_modules(Stagger REQUIRED IMPORTED_TARGET GLOBAL stagger)
pkg_get_variable(Stagger_SCENES stagger scenesdir)
set(ENV{PKG_CONFIG_PATH} "${stagger_path}")
if(NOT TARGET Stagger::stagger)
  add_library(Stagger::stagger ALIAS PkgConfig::Stagger)
endif()

# Packages of Debian (./dev package): scree, libscreeMAJOR.MINOR, libscree-dev, python3-scree, scree-doc.
#
# The library is built for several instruction sets. The loader of glibc takes the best one that the processor has, from
# the folders glibc-hwcaps; results are the same, bit by bit. SCREE_LEVELS has pairs of level and library, such as
# "x86-64-v3=build/v3/libscree.so.0.2.0".
set(SCREE_LEVELS "" CACHE STRING "libraries for other instruction sets, as LEVEL=FILE")
set(SCREE_PYTHON_FILES "" CACHE PATH "folder with the files of the Python module")
set(SONAME ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

foreach(pair ${SCREE_LEVELS})
	string(REPLACE "=" ";" pair ${pair})
	list(GET pair 0 level)
	list(GET pair 1 file)
	set(folder ${CMAKE_INSTALL_LIBDIR}/glibc-hwcaps/${level})
	install(PROGRAMS ${file} DESTINATION ${folder} RENAME libscree.so.${PROJECT_VERSION} COMPONENT library)
	file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/links/${level})
	file(CREATE_LINK libscree.so.${PROJECT_VERSION} ${CMAKE_CURRENT_BINARY_DIR}/links/${level}/libscree.so.${SONAME} SYMBOLIC)
	install(FILES ${CMAKE_CURRENT_BINARY_DIR}/links/${level}/libscree.so.${SONAME} DESTINATION ${folder} COMPONENT library)
endforeach()
install(DIRECTORY ${SCREE_PYTHON_FILES}/ DESTINATION lib/python3/dist-packages COMPONENT python)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME scree)
set(CPACK_PACKAGE_CONTACT "The scree developers <scree@localhost>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_COMPONENTS_ALL command library development python documentation)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_CURRENT_BINARY_DIR})

set(SAME "(= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_COMMAND_DESCRIPTION "granular matter of particles of any shape
 The command: scenes in, tables, pictures and files for ParaView out.")
set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME scree)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS "libscree${SONAME} ${SAME}")
set(CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS "openmpi-bin, paraview, python3-scree, scree-doc")

set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "library of scree
 The engine, for the command and for programs in C, C++ and Python.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libscree${SONAME})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
# the type of pictures
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS "fonts-dejavu-core")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_GENERATE_SHLIBS ON)

set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "headers and static library of scree
 For programs that drive simulations: headers, pkg-config and CMake files.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libscree-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libscree${SONAME} ${SAME}")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS
	"libyaml-dev, libqhull-dev, zlib1g-dev, libpng-dev, libcairo2-dev, libembree-dev, libopenmpi-dev, libtrilinos-zoltan-dev")

set(CPACK_COMPONENT_PYTHON_DESCRIPTION "Python module of scree
 It drives simulations and gives their state as arrays.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-scree)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "libscree${SONAME} (>= ${PROJECT_VERSION}), python3, python3-cffi, python3-numpy")

set(CPACK_COMPONENT_DOCUMENTATION_DESCRIPTION "documentation of scree
 Pages for users and developers, and the gallery.")
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_NAME scree-doc)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_ARCHITECTURE all)
include(CPack)

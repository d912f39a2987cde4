/* libclang's cursors and types as objects of Python, made without ctypes.

   A cursor or type of this module has the attributes that `clang.cindex` gives its own; those that are asked for often
   are read here, all others are taken from the class of `clang.cindex`. The functions have the names, parameters and
   results of libclang's C interface (clang-c/Index.h), and take objects of both kinds. libclang itself is the one that
   `clang.cindex` has loaded: `bind` is given the addresses of its functions. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stddef.h>
#include <structmember.h>

/* clang-c/Index.h, clang-c/CXString.h, clang-c/CXSourceLocation.h */
typedef struct { int kind; int xdata; const void *data[3]; } CXCursor;
typedef struct { int kind; void *data[2]; } CXType;
typedef struct { const void *data; unsigned flags; } CXString;
typedef struct { const void *data[2]; unsigned number; } CXSourceLocation;
typedef struct { const void *data[2]; unsigned begin, end; } CXSourceRange;
typedef int (*Visitor)(CXCursor, CXCursor, void *);

enum { BREAK = 0, NEXT = 1, INTO = 2 }; /* CXChildVisitResult */
enum { NULL_CURSOR = 70, LAMBDA = 144 }; /* CXCursor_InvalidFile, CXCursor_LambdaExpr */

typedef struct { PyObject_HEAD CXCursor value; PyObject *unit, *spelling, *dict; } CursorObject;
typedef struct { PyObject_HEAD CXType value; PyObject *unit; } TypeObject;

static PyTypeObject Cursor_Type, Type_Type;
static PyObject *plain_cursor, *plain_type; /* the classes of clang.cindex */
static PyObject *cursor_kind, *type_kind;   /* what gives the kind of a number */
static PyObject *name_unit, *name_cursor, *name_kind, *name_children;

/* ---- libclang's functions: name, result, parameters ---- */

#define CURSOR_OF_CURSOR(F)                                                                                            \
    F(clang_getCursorReferenced) F(clang_getCursorDefinition) F(clang_getSpecializedCursorTemplate)                    \
    F(clang_getCanonicalCursor) F(clang_getCursorSemanticParent) F(clang_getCursorLexicalParent)                       \
    F(clang_Cursor_getVarDeclInitializer)
#define TYPE_OF_CURSOR(F) F(clang_getCursorType) F(clang_getCursorResultType)
#define CURSOR_AT(F) F(clang_Cursor_getArgument) F(clang_getOverloadedDecl)
#define TYPE_OF_TYPE(F)                                                                                                \
    F(clang_getCanonicalType) F(clang_getPointeeType) F(clang_getElementType) F(clang_getArrayElementType)            \
    F(clang_getResultType)
#define TRUTH_OF_CURSOR(F)                                                                                             \
    F(clang_Cursor_isAnonymous) F(clang_Cursor_isBitField) F(clang_isCursorDefinition) F(clang_isVirtualBase)
#define NUMBER_OF_CURSOR(F)                                                                                            \
    F(clang_getCursorBinaryOperatorKind) F(clang_getCursorUnaryOperatorKind) F(clang_Cursor_getNumArguments)          \
    F(clang_Cursor_isDynamicCall)
#define UNSIGNED_OF_CURSOR(F) F(clang_hashCursor) F(clang_getNumOverloadedDecls)
#define LONG_OF_CURSOR(F) F(clang_Cursor_getOffsetOfField) F(clang_getEnumConstantDeclValue)
#define TRUTH_OF_TYPE(F)                                                                                               \
    F(clang_isConstQualifiedType) F(clang_isVolatileQualifiedType) F(clang_isRestrictQualifiedType)
#define LONG_OF_TYPE(F)                                                                                                \
    F(clang_getNumElements) F(clang_getArraySize) F(clang_Type_getSizeOf) F(clang_Type_getAlignOf)

#define DECLARE_CURSOR_OF_CURSOR(name) static CXCursor (*c_##name)(CXCursor);
#define DECLARE_TYPE_OF_CURSOR(name) static CXType (*c_##name)(CXCursor);
#define DECLARE_CURSOR_AT(name) static CXCursor (*c_##name)(CXCursor, unsigned);
#define DECLARE_TYPE_OF_TYPE(name) static CXType (*c_##name)(CXType);
#define DECLARE_UNSIGNED_OF_CURSOR(name) static unsigned (*c_##name)(CXCursor);
#define DECLARE_NUMBER_OF_CURSOR(name) static int (*c_##name)(CXCursor);
#define DECLARE_LONG_OF_CURSOR(name) static long long (*c_##name)(CXCursor);
#define DECLARE_TRUTH_OF_TYPE(name) static unsigned (*c_##name)(CXType);
#define DECLARE_LONG_OF_TYPE(name) static long long (*c_##name)(CXType);

CURSOR_OF_CURSOR(DECLARE_CURSOR_OF_CURSOR)
TYPE_OF_CURSOR(DECLARE_TYPE_OF_CURSOR)
CURSOR_AT(DECLARE_CURSOR_AT)
TYPE_OF_TYPE(DECLARE_TYPE_OF_TYPE)
TRUTH_OF_CURSOR(DECLARE_UNSIGNED_OF_CURSOR)
UNSIGNED_OF_CURSOR(DECLARE_UNSIGNED_OF_CURSOR)
NUMBER_OF_CURSOR(DECLARE_NUMBER_OF_CURSOR)
LONG_OF_CURSOR(DECLARE_LONG_OF_CURSOR)
TRUTH_OF_TYPE(DECLARE_TRUTH_OF_TYPE)
LONG_OF_TYPE(DECLARE_LONG_OF_TYPE)

static CXCursor (*c_clang_getTypeDeclaration)(CXType);
static CXString (*c_clang_getCursorSpelling)(CXCursor);
static CXString (*c_clang_getTypeSpelling)(CXType);
static const char *(*c_clang_getCString)(CXString);
static void (*c_clang_disposeString)(CXString);
static unsigned (*c_clang_equalCursors)(CXCursor, CXCursor);
static unsigned (*c_clang_equalTypes)(CXType, CXType);
static CXSourceRange (*c_clang_getCursorExtent)(CXCursor);
static CXSourceLocation (*c_clang_getRangeStart)(CXSourceRange);
static CXSourceLocation (*c_clang_getRangeEnd)(CXSourceRange);
static CXSourceLocation (*c_clang_getCursorLocation)(CXCursor);
static int (*c_clang_Location_isFromMainFile)(CXSourceLocation);
static void (*c_clang_getFileLocation)(CXSourceLocation, void **, unsigned *, unsigned *, unsigned *);
static unsigned (*c_clang_visitChildren)(CXCursor, Visitor, void *);
static void *(*c_clang_Cursor_Evaluate)(CXCursor);
static int (*c_clang_EvalResult_getKind)(void *);
static long long (*c_clang_EvalResult_getAsLongLong)(void *);
static unsigned long long (*c_clang_EvalResult_getAsUnsigned)(void *);
static unsigned (*c_clang_EvalResult_isUnsignedInt)(void *);
static double (*c_clang_EvalResult_getAsDouble)(void *);
static void (*c_clang_EvalResult_dispose)(void *);

#define ALL(F)                                                                                                         \
    CURSOR_OF_CURSOR(F) TYPE_OF_CURSOR(F) CURSOR_AT(F) TYPE_OF_TYPE(F) TRUTH_OF_CURSOR(F) UNSIGNED_OF_CURSOR(F)        \
    NUMBER_OF_CURSOR(F) LONG_OF_CURSOR(F) TRUTH_OF_TYPE(F) LONG_OF_TYPE(F) F(clang_getTypeDeclaration)                 \
    F(clang_getCursorSpelling) F(clang_getTypeSpelling) F(clang_getCString) F(clang_disposeString)                     \
    F(clang_equalCursors) F(clang_equalTypes) F(clang_getCursorExtent) F(clang_getRangeStart)                          \
    F(clang_getRangeEnd) F(clang_getCursorLocation) F(clang_Location_isFromMainFile) F(clang_getFileLocation) F(clang_visitChildren) F(clang_Cursor_Evaluate) F(clang_EvalResult_getKind)               \
    F(clang_EvalResult_getAsLongLong) F(clang_EvalResult_getAsUnsigned) F(clang_EvalResult_isUnsignedInt)              \
    F(clang_EvalResult_getAsDouble) F(clang_EvalResult_dispose)

#define ENTRY(name) {#name, (void **)&c_##name},
static const struct { const char *name; void **function; } functions[] = {ALL(ENTRY){NULL, NULL}};

/* ---- objects ---- */

static PyObject *new_cursor(CXCursor value, PyObject *unit) {
    CursorObject *made = PyObject_New(CursorObject, &Cursor_Type);
    if (made == NULL)
        return NULL;
    made->value = value;
    made->unit = unit;
    Py_XINCREF(unit);
    made->spelling = made->dict = NULL;
    return (PyObject *)made;
}

static PyObject *new_type(CXType value, PyObject *unit) {
    TypeObject *made = PyObject_New(TypeObject, &Type_Type);
    if (made == NULL)
        return NULL;
    made->value = value;
    made->unit = unit;
    Py_XINCREF(unit);
    return (PyObject *)made;
}

/* Read the struct that an object of clang.cindex holds. */
static int plain_value(PyObject *object, PyObject *class, void *value, Py_ssize_t size) {
    Py_buffer view;
    int is_one = PyObject_IsInstance(object, class);
    if (is_one <= 0) {
        if (is_one == 0)
            PyErr_Format(PyExc_TypeError, "a cursor or type of libclang is needed, not %.100s", Py_TYPE(object)->tp_name);
        return -1;
    }
    if (PyObject_GetBuffer(object, &view, PyBUF_SIMPLE) < 0)
        return -1;
    if (view.len != size) {
        PyBuffer_Release(&view);
        PyErr_SetString(PyExc_TypeError, "clang.cindex has other structs than libclang");
        return -1;
    }
    memcpy(value, view.buf, (size_t)size);
    PyBuffer_Release(&view);
    return 0;
}

static int cursor_value(PyObject *object, CXCursor *value) {
    if (Py_IS_TYPE(object, &Cursor_Type)) {
        *value = ((CursorObject *)object)->value;
        return 0;
    }
    return plain_value(object, plain_cursor, value, sizeof *value);
}

static int type_value(PyObject *object, CXType *value) {
    if (Py_IS_TYPE(object, &Type_Type)) {
        *value = ((TypeObject *)object)->value;
        return 0;
    }
    return plain_value(object, plain_type, value, sizeof *value);
}

/* Return a new reference to the translation unit of a cursor or type; NULL without an error where it has none. */
static PyObject *unit_of(PyObject *object) {
    PyObject *unit;
    if (Py_IS_TYPE(object, &Cursor_Type))
        unit = Py_XNewRef(((CursorObject *)object)->unit);
    else if (Py_IS_TYPE(object, &Type_Type))
        unit = Py_XNewRef(((TypeObject *)object)->unit);
    else {
        unit = PyObject_GetAttr(object, name_unit);
        if (unit == NULL && PyErr_ExceptionMatches(PyExc_AttributeError))
            PyErr_Clear();
    }
    return unit;
}

static PyObject *cursor_result(CXCursor value, PyObject *of) {
    if (value.kind == NULL_CURSOR && value.data[0] == NULL)
        Py_RETURN_NONE;
    PyObject *unit = unit_of(of);
    PyObject *made = PyErr_Occurred() ? NULL : new_cursor(value, unit);
    Py_XDECREF(unit);
    return made;
}

static PyObject *type_result(CXType value, PyObject *of) {
    PyObject *unit = unit_of(of);
    PyObject *made = PyErr_Occurred() ? NULL : new_type(value, unit);
    Py_XDECREF(unit);
    return made;
}

static PyObject *text_result(CXString value) {
    const char *characters = c_clang_getCString(value);
    PyObject *text = characters == NULL ? Py_NewRef(Py_None) : PyUnicode_DecodeUTF8(characters, strlen(characters), NULL);
    c_clang_disposeString(value);
    return text;
}

static PyObject *pointer(const void *address) {
    if (address == NULL)
        Py_RETURN_NONE;
    return PyLong_FromVoidPtr((void *)address);
}

/* ---- functions of one cursor or type ---- */

#define OF_CURSOR(name, result)                                                                                        \
    static PyObject *py_##name(PyObject *module, PyObject *object) {                                                   \
        CXCursor value;                                                                                                \
        return cursor_value(object, &value) < 0 ? NULL : result;                                                       \
    }
#define OF_TYPE(name, result)                                                                                          \
    static PyObject *py_##name(PyObject *module, PyObject *object) {                                                   \
        CXType value;                                                                                                  \
        return type_value(object, &value) < 0 ? NULL : result;                                                         \
    }
#define DEFINE_CURSOR_OF_CURSOR(name) OF_CURSOR(name, cursor_result(c_##name(value), object))
#define DEFINE_TYPE_OF_CURSOR(name) OF_CURSOR(name, type_result(c_##name(value), object))
#define DEFINE_TRUTH_OF_CURSOR(name) OF_CURSOR(name, PyBool_FromLong(c_##name(value)))
#define DEFINE_UNSIGNED_OF_CURSOR(name) OF_CURSOR(name, PyLong_FromUnsignedLong(c_##name(value)))
#define DEFINE_NUMBER_OF_CURSOR(name) OF_CURSOR(name, PyLong_FromLong(c_##name(value)))
#define DEFINE_LONG_OF_CURSOR(name) OF_CURSOR(name, PyLong_FromLongLong(c_##name(value)))
#define DEFINE_TYPE_OF_TYPE(name) OF_TYPE(name, type_result(c_##name(value), object))
#define DEFINE_TRUTH_OF_TYPE(name) OF_TYPE(name, PyBool_FromLong(c_##name(value)))
#define DEFINE_LONG_OF_TYPE(name) OF_TYPE(name, PyLong_FromLongLong(c_##name(value)))
#define DEFINE_CURSOR_AT(name)                                                                                         \
    static PyObject *py_##name(PyObject *module, PyObject *const *arguments, Py_ssize_t count) {                       \
        CXCursor value;                                                                                                \
        if (count != 2) {                                                                                              \
            PyErr_SetString(PyExc_TypeError, #name " takes a cursor and a position");                                  \
            return NULL;                                                                                               \
        }                                                                                                              \
        unsigned long position = PyLong_AsUnsignedLong(arguments[1]);                                                  \
        if (cursor_value(arguments[0], &value) < 0 || PyErr_Occurred())                                                \
            return NULL;                                                                                               \
        return cursor_result(c_##name(value, (unsigned)position), arguments[0]);                                       \
    }

CURSOR_OF_CURSOR(DEFINE_CURSOR_OF_CURSOR)
TYPE_OF_CURSOR(DEFINE_TYPE_OF_CURSOR)
CURSOR_AT(DEFINE_CURSOR_AT)
TYPE_OF_TYPE(DEFINE_TYPE_OF_TYPE)
TRUTH_OF_CURSOR(DEFINE_TRUTH_OF_CURSOR)
UNSIGNED_OF_CURSOR(DEFINE_UNSIGNED_OF_CURSOR)
NUMBER_OF_CURSOR(DEFINE_NUMBER_OF_CURSOR)
LONG_OF_CURSOR(DEFINE_LONG_OF_CURSOR)
TRUTH_OF_TYPE(DEFINE_TRUTH_OF_TYPE)
LONG_OF_TYPE(DEFINE_LONG_OF_TYPE)
OF_TYPE(clang_getTypeDeclaration, cursor_result(c_clang_getTypeDeclaration(value), object))
OF_TYPE(clang_getTypeSpelling, text_result(c_clang_getTypeSpelling(value)))
OF_CURSOR(clang_Cursor_Evaluate, PyLong_FromVoidPtr(c_clang_Cursor_Evaluate(value)))

static PyObject *py_clang_getCursorSpelling(PyObject *module, PyObject *object) {
    CXCursor value;
    if (cursor_value(object, &value) < 0)
        return NULL;
    if (!Py_IS_TYPE(object, &Cursor_Type))
        return text_result(c_clang_getCursorSpelling(value));
    CursorObject *cursor = (CursorObject *)object;
    if (cursor->spelling == NULL)
        cursor->spelling = text_result(c_clang_getCursorSpelling(value));
    return Py_XNewRef(cursor->spelling);
}

static PyObject *py_clang_equalCursors(PyObject *module, PyObject *const *arguments, Py_ssize_t count) {
    CXCursor one, other;
    if (count != 2) {
        PyErr_SetString(PyExc_TypeError, "clang_equalCursors takes two cursors");
        return NULL;
    }
    if (cursor_value(arguments[0], &one) < 0 || cursor_value(arguments[1], &other) < 0)
        return NULL;
    return PyBool_FromLong(c_clang_equalCursors(one, other));
}

static PyObject *py_clang_equalTypes(PyObject *module, PyObject *const *arguments, Py_ssize_t count) {
    CXType one, other;
    if (count != 2) {
        PyErr_SetString(PyExc_TypeError, "clang_equalTypes takes two types");
        return NULL;
    }
    if (type_value(arguments[0], &one) < 0 || type_value(arguments[1], &other) < 0)
        return NULL;
    return PyBool_FromLong(c_clang_equalTypes(one, other));
}

/* What libclang has evaluated is known by its address, which is 0 for what it could not evaluate. */
#define OF_RESULT(name, result)                                                                                        \
    static PyObject *py_##name(PyObject *module, PyObject *address) {                                                  \
        void *value = PyLong_AsVoidPtr(address);                                                                       \
        return value == NULL && PyErr_Occurred() ? NULL : result;                                                      \
    }
OF_RESULT(clang_EvalResult_getKind, PyLong_FromLong(c_clang_EvalResult_getKind(value)))
OF_RESULT(clang_EvalResult_getAsLongLong, PyLong_FromLongLong(c_clang_EvalResult_getAsLongLong(value)))
OF_RESULT(clang_EvalResult_getAsUnsigned, PyLong_FromUnsignedLongLong(c_clang_EvalResult_getAsUnsigned(value)))
OF_RESULT(clang_EvalResult_isUnsignedInt, PyLong_FromUnsignedLong(c_clang_EvalResult_isUnsignedInt(value)))
OF_RESULT(clang_EvalResult_getAsDouble, PyFloat_FromDouble(c_clang_EvalResult_getAsDouble(value)))
OF_RESULT(clang_EvalResult_dispose, (c_clang_EvalResult_dispose(value), Py_NewRef(Py_None)))

/* ---- places ---- */

static PyObject *extent_numbers(PyObject *module, PyObject *object) {
    CXCursor value;
    if (cursor_value(object, &value) < 0)
        return NULL;
    CXSourceRange range = c_clang_getCursorExtent(value);
    return Py_BuildValue("II", range.begin, range.end);
}

static PyObject *location_number(PyObject *module, PyObject *object) {
    CXCursor value;
    return cursor_value(object, &value) < 0 ? NULL : PyLong_FromUnsignedLong(c_clang_getCursorLocation(value).number);
}

static PyObject *is_in_main_file(PyObject *module, PyObject *object) {
    CXCursor value;
    if (cursor_value(object, &value) < 0)
        return NULL;
    return PyBool_FromLong(c_clang_Location_isFromMainFile(c_clang_getCursorLocation(value)));
}

static PyObject *file_handle(PyObject *module, PyObject *object) {
    CXCursor value;
    void *file = NULL;
    if (cursor_value(object, &value) < 0)
        return NULL;
    c_clang_getFileLocation(c_clang_getCursorLocation(value), &file, NULL, NULL, NULL);
    return pointer(file);
}

static PyObject *file_place(PyObject *module, PyObject *const *arguments, Py_ssize_t count) {
    CXCursor value;
    CXSourceLocation location;
    void *file = NULL;
    unsigned line, column, offset;
    if (count != 2) {
        PyErr_SetString(PyExc_TypeError, "file_place takes a cursor and whether its end is asked for");
        return NULL;
    }
    int at_end = PyObject_IsTrue(arguments[1]);
    if (at_end < 0 || cursor_value(arguments[0], &value) < 0)
        return NULL;
    CXSourceRange range = c_clang_getCursorExtent(value);
    location = at_end ? c_clang_getRangeEnd(range) : c_clang_getRangeStart(range);
    c_clang_getFileLocation(location, &file, &line, &column, &offset);
    return Py_BuildValue("NIIII", pointer(file), line, column, offset, location.number);
}

/* ---- visits ---- */

typedef struct { PyObject *found, *unit; } Listing;

static int list_one(CXCursor cursor, CXCursor parent, void *data) {
    Listing *listing = data;
    PyObject *made = new_cursor(cursor, listing->unit);
    int failed = made == NULL || PyList_Append(listing->found, made) < 0;
    Py_XDECREF(made);
    return failed ? BREAK : NEXT;
}

static PyObject *direct_children(PyObject *module, PyObject *object) {
    CXCursor value;
    if (cursor_value(object, &value) < 0)
        return NULL;
    Listing listing = {PyList_New(0), unit_of(object)};
    if (listing.found != NULL && !PyErr_Occurred())
        c_clang_visitChildren(value, list_one, &listing);
    Py_XDECREF(listing.unit);
    if (PyErr_Occurred())
        Py_CLEAR(listing.found);
    return listing.found;
}

typedef struct { PyObject *found, *unit, *kinds; } Search;

static int search_one(CXCursor cursor, CXCursor parent, void *data) {
    Search *search = data;
    PyObject *kind = PyLong_FromLong(cursor.kind);
    int is_wanted = kind == NULL ? -1 : PySet_Contains(search->kinds, kind);
    Py_XDECREF(kind);
    if (is_wanted > 0) {
        PyObject *made = new_cursor(cursor, search->unit);
        if (made == NULL || PyList_Append(search->found, made) < 0)
            is_wanted = -1;
        Py_XDECREF(made);
    }
    return is_wanted < 0 ? BREAK : INTO;
}

static PyObject *descendants(PyObject *module, PyObject *const *arguments, Py_ssize_t count) {
    CXCursor value;
    if (count != 2 || !PyAnySet_Check(arguments[1])) {
        PyErr_SetString(PyExc_TypeError, "descendants takes a cursor and a set of kinds");
        return NULL;
    }
    if (cursor_value(arguments[0], &value) < 0)
        return NULL;
    Search search = {PyList_New(0), unit_of(arguments[0]), arguments[1]};
    if (search.found != NULL && !PyErr_Occurred())
        c_clang_visitChildren(value, search_one, &search);
    Py_XDECREF(search.unit);
    if (PyErr_Occurred())
        Py_CLEAR(search.found);
    return search.found;
}

/* What two cursors share that are one: kind and statement or, where there is none, kind and declaration. */
typedef struct { int kind; const void *statement, *declaration; } Key;

static Key key_of(CXCursor cursor) {
    const void *statement = cursor.data[1];
    int is_none = statement == NULL || statement == (const void *)1;
    return (Key){cursor.kind, statement, is_none ? cursor.data[0] : NULL};
}

/* A tree under construction: the lists of children and the keys of the nodes from its root to where the visit is. */
typedef struct { PyObject **lists; Key *keys; Py_ssize_t depth, room; PyObject *unit; PyTypeObject *node; } Building;

/* The class of nodes is one of Python with slots for these three fields alone: its `__init__` would only set them. */
static PyObject *new_node(Building *building, PyObject *cursor, int kind, PyObject *children) {
    PyObject *made = building->node->tp_alloc(building->node, 0);
    PyObject *number = PyLong_FromLong(kind);
    if (made == NULL || number == NULL || PyObject_SetAttr(made, name_cursor, cursor) < 0 ||
        PyObject_SetAttr(made, name_kind, number) < 0 || PyObject_SetAttr(made, name_children, children) < 0)
        Py_CLEAR(made);
    Py_XDECREF(number);
    return made;
}

static int push(Building *building, PyObject *list, Key key) {
    if (building->depth == building->room) {
        Py_ssize_t room = building->room ? 2 * building->room : 32;
        PyObject **lists = PyMem_Realloc(building->lists, room * sizeof *lists);
        if (lists != NULL)
            building->lists = lists;
        Key *keys = PyMem_Realloc(building->keys, room * sizeof *keys);
        if (keys != NULL)
            building->keys = keys;
        if (lists == NULL || keys == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        building->room = room;
    }
    building->lists[building->depth] = list; /* the node that has it is kept by the list of its parent */
    building->keys[building->depth++] = key;
    return 0;
}

static int is_same(Key one, Key other) {
    return one.kind == other.kind && one.statement == other.statement && one.declaration == other.declaration;
}

static int build_one(CXCursor cursor, CXCursor parent, void *data) {
    Building *building = data;
    Key wanted = key_of(parent);
    Py_ssize_t depth = building->depth - 1;
    while (depth >= 0 && !is_same(building->keys[depth], wanted))
        depth--;
    if (depth >= 0) /* else a child whose parent was not visited (what a lambda captures): it stays where it was met */
        building->depth = depth + 1;
    PyObject *made = new_cursor(cursor, building->unit);
    PyObject *children = PyList_New(0);
    PyObject *node = made == NULL || children == NULL ? NULL : new_node(building, made, cursor.kind, children);
    int failed = node == NULL || PyList_Append(building->lists[building->depth - 1], node) < 0;
    if (!failed && cursor.kind != LAMBDA)
        failed = push(building, children, key_of(cursor)) < 0;
    Py_XDECREF(made);
    Py_XDECREF(children);
    Py_XDECREF(node);
    return failed ? BREAK : cursor.kind == LAMBDA ? NEXT : INTO;
}

static PyObject *tree(PyObject *module, PyObject *const *arguments, Py_ssize_t count) {
    CXCursor value;
    if (count != 2 || !PyType_Check(arguments[1])) {
        PyErr_SetString(PyExc_TypeError, "tree takes a cursor and the class of its nodes");
        return NULL;
    }
    if (cursor_value(arguments[0], &value) < 0)
        return NULL;
    Building building = {NULL, NULL, 0, 0, unit_of(arguments[0]), (PyTypeObject *)arguments[1]};
    PyObject *children = PyList_New(0);
    PyObject *root = NULL;
    if (children != NULL && !PyErr_Occurred())
        root = new_node(&building, arguments[0], value.kind, children);
    if (root != NULL && push(&building, children, key_of(value)) == 0)
        c_clang_visitChildren(value, build_one, &building);
    Py_XDECREF(children);
    Py_XDECREF(building.unit);
    PyMem_Free(building.lists);
    PyMem_Free(building.keys);
    if (PyErr_Occurred())
        Py_CLEAR(root);
    return root;
}

/* ---- the class of cursors ---- */

static void cursor_dealloc(CursorObject *self) {
    Py_XDECREF(self->unit);
    Py_XDECREF(self->spelling);
    Py_XDECREF(self->dict);
    PyObject_Free(self);
}

/* Return an attribute; what is not known here is what the class of clang.cindex has by that name. */
static PyObject *attribute(PyObject *self, PyObject *name, PyObject *class) {
    PyObject *found = PyObject_GenericGetAttr(self, name);
    if (found != NULL || !PyErr_ExceptionMatches(PyExc_AttributeError))
        return found;
    PyErr_Clear();
    PyObject *described = PyObject_GetAttr(class, name);
    if (described == NULL || Py_TYPE(described)->tp_descr_get == NULL)
        return described;
    found = Py_TYPE(described)->tp_descr_get(described, self, (PyObject *)Py_TYPE(self));
    Py_DECREF(described);
    return found;
}

static PyObject *cursor_attribute(PyObject *self, PyObject *name) { return attribute(self, name, plain_cursor); }

static PyObject *cursor_data(CursorObject *self, void *closure) {
    const void **data = self->value.data;
    return Py_BuildValue("NNN", pointer(data[0]), pointer(data[1]), pointer(data[2]));
}

static PyObject *kind_of(PyObject *kinds, int number) {
    PyObject *argument = PyLong_FromLong(number);
    PyObject *kind = argument == NULL ? NULL : PyObject_CallOneArg(kinds, argument);
    Py_XDECREF(argument);
    return kind;
}

static PyObject *cursor_kind_of(CursorObject *self, void *closure) { return kind_of(cursor_kind, self->value.kind); }

/* Return the object of clang.cindex, which ctypes passes to functions that are not among those of this module. */
static PyObject *plain(PyObject *class, const void *value, Py_ssize_t size, PyObject *unit) {
    Py_buffer view;
    PyObject *made = PyObject_CallNoArgs(class);
    if (made == NULL || (unit != NULL && PyObject_SetAttr(made, name_unit, unit) < 0) ||
        PyObject_GetBuffer(made, &view, PyBUF_WRITABLE) < 0) {
        Py_XDECREF(made);
        return NULL;
    }
    if (view.len != size) {
        PyBuffer_Release(&view);
        Py_DECREF(made);
        PyErr_SetString(PyExc_TypeError, "clang.cindex has other structs than libclang");
        return NULL;
    }
    memcpy(view.buf, value, (size_t)size);
    PyBuffer_Release(&view);
    return made;
}

static PyObject *cursor_plain(CursorObject *self, void *closure) {
    return plain(plain_cursor, &self->value, sizeof self->value, self->unit);
}

static PyObject *cursor_compare(PyObject *self, PyObject *other, int operation) {
    CXCursor value;
    if (operation != Py_EQ && operation != Py_NE)
        Py_RETURN_NOTIMPLEMENTED;
    if (cursor_value(other, &value) < 0) {
        PyErr_Clear();
        Py_RETURN_NOTIMPLEMENTED;
    }
    int is_equal = c_clang_equalCursors(((CursorObject *)self)->value, value) != 0;
    return PyBool_FromLong(is_equal == (operation == Py_EQ));
}

static Py_hash_t cursor_hash(CursorObject *self) { return (Py_hash_t)c_clang_hashCursor(self->value); }

static PyObject *cursor_with_unit(CursorObject *self, PyObject *unit) {
    return new_cursor(self->value, unit == Py_None ? NULL : unit);
}

static PyObject *cursor_children(PyObject *self, PyObject *nothing) {
    PyObject *children = direct_children(NULL, self);
    PyObject *each = children == NULL ? NULL : PyObject_GetIter(children);
    Py_XDECREF(children);
    return each;
}

#define GETTER(function) ((getter)getter_##function)
#define DEFINE_GETTER(function)                                                                                        \
    static PyObject *getter_##function(PyObject *self, void *closure) { return py_##function(NULL, self); }
#define DEFINE_METHOD(function)                                                                                        \
    static PyObject *method_##function(PyObject *self, PyObject *nothing) { return py_##function(NULL, self); }
#define METHOD(name, function) {name, method_##function, METH_NOARGS, NULL}

DEFINE_GETTER(clang_getCursorSpelling)
DEFINE_GETTER(clang_getCursorType)
DEFINE_GETTER(clang_getCursorSemanticParent)
DEFINE_GETTER(clang_getCanonicalCursor)
DEFINE_GETTER(clang_getCursorReferenced)
DEFINE_GETTER(clang_getCursorResultType)
DEFINE_GETTER(clang_hashCursor)
DEFINE_METHOD(clang_Cursor_isBitField)
DEFINE_METHOD(clang_isCursorDefinition)

static PyGetSetDef cursor_getters[] = {
    {"data", (getter)cursor_data, NULL, NULL, NULL},
    {"kind", (getter)cursor_kind_of, NULL, NULL, NULL},
    {"spelling", GETTER(clang_getCursorSpelling), NULL, NULL, NULL},
    {"type", GETTER(clang_getCursorType), NULL, NULL, NULL},
    {"semantic_parent", GETTER(clang_getCursorSemanticParent), NULL, NULL, NULL},
    {"canonical", GETTER(clang_getCanonicalCursor), NULL, NULL, NULL},
    {"referenced", GETTER(clang_getCursorReferenced), NULL, NULL, NULL},
    {"result_type", GETTER(clang_getCursorResultType), NULL, NULL, NULL},
    {"hash", GETTER(clang_hashCursor), NULL, NULL, NULL},
    {"_as_parameter_", (getter)cursor_plain, NULL, NULL, NULL},
    {NULL},
};
static PyMemberDef cursor_members[] = {
    {"_kind_id", T_INT, offsetof(CursorObject, value.kind), READONLY, NULL},
    {"xdata", T_INT, offsetof(CursorObject, value.xdata), READONLY, NULL},
    {"_tu", T_OBJECT_EX, offsetof(CursorObject, unit), 0, NULL},
    {NULL},
};
static PyMethodDef cursor_methods[] = {
    {"get_children", cursor_children, METH_NOARGS, NULL},
    {"with_unit", (PyCFunction)cursor_with_unit, METH_O, NULL},
    METHOD("is_bitfield", clang_Cursor_isBitField),
    METHOD("is_definition", clang_isCursorDefinition),
    {NULL},
};
static PyTypeObject Cursor_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "coalint.frontend.cuda.libclang.helper.Cursor",
    .tp_basicsize = sizeof(CursorObject),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_dealloc = (destructor)cursor_dealloc,
    .tp_getattro = cursor_attribute,
    .tp_setattro = PyObject_GenericSetAttr,
    .tp_richcompare = cursor_compare,
    .tp_hash = (hashfunc)cursor_hash,
    .tp_dictoffset = offsetof(CursorObject, dict),
    .tp_getset = cursor_getters,
    .tp_members = cursor_members,
    .tp_methods = cursor_methods,
};

/* ---- the class of types ---- */

static void type_dealloc(TypeObject *self) {
    Py_XDECREF(self->unit);
    PyObject_Free(self);
}

static PyObject *type_attribute(PyObject *self, PyObject *name) { return attribute(self, name, plain_type); }

static PyObject *type_kind_of(TypeObject *self, void *closure) { return kind_of(type_kind, self->value.kind); }

static PyObject *type_data(TypeObject *self, void *closure) {
    return Py_BuildValue("NN", pointer(self->value.data[0]), pointer(self->value.data[1]));
}

static PyObject *type_plain(TypeObject *self, void *closure) {
    return plain(plain_type, &self->value, sizeof self->value, self->unit);
}

static PyObject *type_compare(PyObject *self, PyObject *other, int operation) {
    CXType value;
    if (operation != Py_EQ && operation != Py_NE)
        Py_RETURN_NOTIMPLEMENTED;
    if (type_value(other, &value) < 0) {
        PyErr_Clear();
        Py_RETURN_NOTIMPLEMENTED;
    }
    int is_equal = c_clang_equalTypes(((TypeObject *)self)->value, value) != 0;
    return PyBool_FromLong(is_equal == (operation == Py_EQ));
}

DEFINE_GETTER(clang_getTypeSpelling)
DEFINE_METHOD(clang_getCanonicalType)
DEFINE_METHOD(clang_getTypeDeclaration)
DEFINE_METHOD(clang_getPointeeType)
DEFINE_METHOD(clang_getResultType)
DEFINE_METHOD(clang_getArrayElementType)
DEFINE_METHOD(clang_getArraySize)
DEFINE_METHOD(clang_Type_getSizeOf)
DEFINE_METHOD(clang_Type_getAlignOf)
DEFINE_METHOD(clang_isConstQualifiedType)
DEFINE_METHOD(clang_isVolatileQualifiedType)
DEFINE_METHOD(clang_isRestrictQualifiedType)

static PyGetSetDef type_getters[] = {
    {"data", (getter)type_data, NULL, NULL, NULL},
    {"kind", (getter)type_kind_of, NULL, NULL, NULL},
    {"spelling", GETTER(clang_getTypeSpelling), NULL, NULL, NULL},
    {"_as_parameter_", (getter)type_plain, NULL, NULL, NULL},
    {NULL},
};
static PyMemberDef type_members[] = {
    {"_kind_id", T_INT, offsetof(TypeObject, value.kind), READONLY, NULL},
    {"_tu", T_OBJECT_EX, offsetof(TypeObject, unit), 0, NULL},
    {NULL},
};
static PyMethodDef type_methods[] = {
    METHOD("get_canonical", clang_getCanonicalType),
    METHOD("get_declaration", clang_getTypeDeclaration),
    METHOD("get_pointee", clang_getPointeeType),
    METHOD("get_result", clang_getResultType),
    METHOD("get_array_element_type", clang_getArrayElementType),
    METHOD("get_array_size", clang_getArraySize),
    METHOD("get_size", clang_Type_getSizeOf),
    METHOD("get_align", clang_Type_getAlignOf),
    METHOD("is_const_qualified", clang_isConstQualifiedType),
    METHOD("is_volatile_qualified", clang_isVolatileQualifiedType),
    METHOD("is_restrict_qualified", clang_isRestrictQualifiedType),
    {NULL},
};
static PyTypeObject Type_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "coalint.frontend.cuda.libclang.helper.Type",
    .tp_basicsize = sizeof(TypeObject),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_dealloc = (destructor)type_dealloc,
    .tp_getattro = type_attribute,
    .tp_richcompare = type_compare,
    .tp_hash = PyObject_HashNotImplemented,
    .tp_getset = type_getters,
    .tp_members = type_members,
    .tp_methods = type_methods,
};

/* ---- the module ---- */

static PyObject *of_plain(PyObject *module, PyObject *object) {
    CXCursor cursor;
    CXType type;
    int is_cursor = PyObject_IsInstance(object, plain_cursor);
    if (is_cursor < 0)
        return NULL;
    PyObject *unit = unit_of(object);
    PyObject *made = NULL;
    if (!PyErr_Occurred()) {
        if (is_cursor && cursor_value(object, &cursor) == 0)
            made = new_cursor(cursor, unit);
        else if (!is_cursor && type_value(object, &type) == 0)
            made = new_type(type, unit);
    }
    Py_XDECREF(unit);
    return made;
}

static PyObject *bind(PyObject *module, PyObject *arguments) {
    PyObject *addresses, *classes[2], *kinds[2];
    if (!PyArg_ParseTuple(arguments, "O!OOOO", &PyDict_Type, &addresses, classes, classes + 1, kinds, kinds + 1))
        return NULL;
    for (int i = 0; functions[i].name != NULL; i++) {
        PyObject *address = PyDict_GetItemString(addresses, functions[i].name);
        if (address == NULL) {
            PyErr_SetString(PyExc_KeyError, functions[i].name);
            return NULL;
        }
        *functions[i].function = PyLong_AsVoidPtr(address);
        if (PyErr_Occurred())
            return NULL;
    }
    Py_XSETREF(plain_cursor, Py_NewRef(classes[0]));
    Py_XSETREF(plain_type, Py_NewRef(classes[1]));
    Py_XSETREF(cursor_kind, Py_NewRef(kinds[0]));
    Py_XSETREF(type_kind, Py_NewRef(kinds[1]));
    Py_RETURN_NONE;
}

static PyObject *names(PyObject *module, PyObject *nothing) {
    PyObject *found = PyList_New(0);
    for (int i = 0; found != NULL && functions[i].name != NULL; i++) {
        PyObject *name = PyUnicode_FromString(functions[i].name);
        if (name == NULL || PyList_Append(found, name) < 0)
            Py_CLEAR(found);
        Py_XDECREF(name);
    }
    return found;
}

#define ONE(name) {#name, py_##name, METH_O, NULL},
#define SOME(name) {#name, (PyCFunction)(void (*)(void))py_##name, METH_FASTCALL, NULL},
static PyMethodDef methods[] = {
    CURSOR_OF_CURSOR(ONE) TYPE_OF_CURSOR(ONE) CURSOR_AT(SOME) TYPE_OF_TYPE(ONE) TRUTH_OF_CURSOR(ONE)
    UNSIGNED_OF_CURSOR(ONE) NUMBER_OF_CURSOR(ONE) LONG_OF_CURSOR(ONE) TRUTH_OF_TYPE(ONE) LONG_OF_TYPE(ONE)
    ONE(clang_getTypeDeclaration) ONE(clang_getCursorSpelling) ONE(clang_getTypeSpelling) SOME(clang_equalCursors)
    SOME(clang_equalTypes) ONE(clang_Cursor_Evaluate) ONE(clang_EvalResult_getKind)
    ONE(clang_EvalResult_getAsLongLong) ONE(clang_EvalResult_getAsUnsigned) ONE(clang_EvalResult_isUnsignedInt)
    ONE(clang_EvalResult_getAsDouble) ONE(clang_EvalResult_dispose)
    {"extent_numbers", extent_numbers, METH_O, NULL},
    {"location_number", location_number, METH_O, NULL},
    {"is_in_main_file", is_in_main_file, METH_O, NULL},
    {"file_place", (PyCFunction)(void (*)(void))file_place, METH_FASTCALL, NULL},
    {"file_handle", file_handle, METH_O, NULL},
    {"direct_children", direct_children, METH_O, NULL},
    {"descendants", (PyCFunction)(void (*)(void))descendants, METH_FASTCALL, NULL},
    {"tree", (PyCFunction)(void (*)(void))tree, METH_FASTCALL, NULL},
    {"of_plain", of_plain, METH_O, NULL},
    {"bind", bind, METH_VARARGS, NULL},
    {"names", names, METH_NOARGS, NULL},
    {NULL},
};
static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "helper", "libclang's cursors and types as objects of Python, made without ctypes.", -1, methods,
};

PyMODINIT_FUNC PyInit_helper(void) {
    if (PyType_Ready(&Cursor_Type) < 0 || PyType_Ready(&Type_Type) < 0)
        return NULL;
    name_unit = PyUnicode_InternFromString("_tu");
    name_cursor = PyUnicode_InternFromString("cursor");
    name_kind = PyUnicode_InternFromString("kind");
    name_children = PyUnicode_InternFromString("children");
    if (name_unit == NULL || name_cursor == NULL || name_kind == NULL || name_children == NULL)
        return NULL;
    return PyModule_Create(&definition);
}

/* What CPython's interpreter does where it reads slots, and mypyc does not: a cache at each place. */
#ifndef RULEWRIGHT_QUICK_H
#define RULEWRIGHT_QUICK_H
/* It knows how Python 3.11 stores small numbers; with a later one mypyc's own ways must do. */
#if PY_VERSION_HEX < 0x030C0000
#include <structmember.h>
typedef struct { PyTypeObject *type; unsigned int tag; Py_ssize_t offset; } rw_place;

static Py_ssize_t rw_find(PyObject *o, PyObject *name, rw_place *place) {
    PyTypeObject *type = Py_TYPE(o);
    if (type->tp_getattro != PyObject_GenericGetAttr || type->tp_setattro != PyObject_GenericSetAttr) return 0;
    PyObject *found = _PyType_Lookup(type, name);
    if (found == NULL || !Py_IS_TYPE(found, &PyMemberDescr_Type)) return 0;
    PyMemberDef *member = ((PyMemberDescrObject *)found)->d_member;
    if (member->type != T_OBJECT_EX || (member->flags & READONLY)) return 0;
    if (!PyType_HasFeature(type, Py_TPFLAGS_VALID_VERSION_TAG) || type->tp_version_tag == 0) return 0;
    place->type = type; place->tag = type->tp_version_tag; place->offset = member->offset;
    return member->offset;
}
static CPy_NOINLINE PyObject *rw_get_slowly(PyObject *o, PyObject *name, rw_place *place) {
    rw_find(o, name, place);
    return CPyObject_GetAttr(o, name);
}
static CPy_NOINLINE int rw_set_slowly(PyObject *o, PyObject *name, PyObject *value, rw_place *place) {
    rw_find(o, name, place);
    return PyObject_SetAttr(o, name, value);
}
static inline PyObject *rw_get(PyObject *o, PyObject *name, rw_place *place) {
    PyTypeObject *type = Py_TYPE(o);
    if (likely(type == place->type && type->tp_version_tag == place->tag)) {
        PyObject *found = *(PyObject **)((char *)o + place->offset);
        if (likely(found != NULL)) { Py_INCREF(found); return found; }
    }
    return rw_get_slowly(o, name, place);
}
static inline int rw_set(PyObject *o, PyObject *name, PyObject *value, rw_place *place) {
    PyTypeObject *type = Py_TYPE(o);
    if (likely(type == place->type && type->tp_version_tag == place->tag)) {
        PyObject **at = (PyObject **)((char *)o + place->offset);
        PyObject *old = *at;
        Py_XINCREF(value); *at = value; Py_XDECREF(old);
        return 0;
    }
    return rw_set_slowly(o, name, value, place);
}
static inline PyObject *rw_item(PyObject *o, PyObject *index) {
    if (likely(PyLong_CheckExact(index))) {
        Py_ssize_t size = Py_SIZE(index);
        Py_ssize_t n = size == 0 ? 0 : size == 1 ? (Py_ssize_t)((PyLongObject *)index)->ob_digit[0] : -1;
        PyObject *found = NULL;
        if (PyList_CheckExact(o)) { if (likely(n >= 0 && n < PyList_GET_SIZE(o))) found = PyList_GET_ITEM(o, n); }
        else if (PyTuple_Check(o) && Py_TYPE(o)->tp_as_mapping->mp_subscript == PyTuple_Type.tp_as_mapping->mp_subscript) { if (likely(n >= 0 && n < PyTuple_GET_SIZE(o))) found = PyTuple_GET_ITEM(o, n); }
        if (likely(found != NULL)) { Py_INCREF(found); return found; }
    }
    return PyObject_GetItem(o, index);
}
#undef CPyObject_GetAttr
#define CPyObject_GetAttr(o, name) ({ static rw_place place_; rw_get(o, name, &place_); })
#define PyObject_SetAttr(o, name, value) ({ static rw_place place_; rw_set(o, name, value, &place_); })
#define PyObject_GetItem(o, index) rw_item(o, index)
static inline PyObject *rw_compare(PyObject *a, PyObject *b, int op) {
    if (PyLong_CheckExact(a) && PyLong_CheckExact(b) && Py_ABS(Py_SIZE(a)) <= 1 && Py_ABS(Py_SIZE(b)) <= 1) {
        long x = Py_SIZE(a) * (long)((PyLongObject *)a)->ob_digit[0], y = Py_SIZE(b) * (long)((PyLongObject *)b)->ob_digit[0];
        Py_RETURN_RICHCOMPARE(x, y, op);
    }
    return PyObject_RichCompare(a, b, op);
}
#define PyObject_RichCompare(a, b, op) rw_compare(a, b, op)
static inline int rw_true(PyObject *o) { return o == Py_True ? 1 : o == Py_False || o == Py_None ? 0 : PyObject_IsTrue(o); }
#define PyObject_IsTrue(o) rw_true(o)
#endif
#endif

// cuda_gl_interop.h and the OpenGL type names that kernels' signatures carry.
#pragma once

COALINT_HOST_DEVICE_BEGIN

typedef unsigned int GLenum, GLbitfield, GLuint;
typedef int GLint, GLsizei;
typedef unsigned char GLboolean, GLubyte;
typedef signed char GLbyte;
typedef short GLshort;
typedef unsigned short GLushort;
typedef float GLfloat, GLclampf;
typedef double GLdouble, GLclampd;
typedef void GLvoid;
typedef char GLchar;
typedef ptrdiff_t GLintptr, GLsizeiptr;
cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource_t*, GLuint, unsigned int);
cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource_t*, GLuint, GLenum, unsigned int);
cudaError_t cudaGLGetDevices(unsigned int*, int*, unsigned int, int);
cudaError_t cudaGLSetGLDevice(int);
cudaError_t cudaGLRegisterBufferObject(GLuint);
cudaError_t cudaGLUnregisterBufferObject(GLuint);
cudaError_t cudaGLMapBufferObject(void**, GLuint);
cudaError_t cudaGLUnmapBufferObject(GLuint);

COALINT_HOST_DEVICE_END

"""Names: the user's keep their spelling unless C++, CUDA or the C library has a claim on it.

The rule: a name that collides gets an underscore at its end. At namespace scope (functions, structs, constants) a name
collides with keywords, macros, names of CUDA and of the C library, and with what the program itself defines. A local
variable or parameter may hide a library function, so it collides only with keywords, macros, built-in variables and
with functions, types and constants that the program uses.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable

from weft.cuda.host_names import TOP_LEVEL

KEYWORDS = frozenset(
    """alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class
    compl concept const const_cast consteval constexpr constinit continue co_await co_return co_yield decltype default
    delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long
    mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register
    reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch template this
    thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor
    xor_eq""".split()
)

MACROS = frozenset(
    """NULL EOF NAN INFINITY HUGE_VAL HUGE_VALF EXIT_SUCCESS EXIT_FAILURE RAND_MAX BUFSIZ CHAR_BIT INT_MAX INT_MIN
    UINT_MAX LONG_MAX LONG_MIN FLT_MAX FLT_MIN FLT_EPSILON DBL_MAX DBL_MIN DBL_EPSILON SIZE_MAX INT8_MAX INT16_MAX
    INT32_MAX INT64_MAX UINT8_MAX UINT16_MAX UINT32_MAX UINT64_MAX M_PI M_PI_2 M_PI_4 M_E M_LN2 M_LN10 M_LOG2E
    M_LOG10E M_SQRT2 M_1_PI M_2_PI M_2_SQRTPI M_SQRT1_2 SEEK_SET SEEK_CUR SEEK_END assert errno stdin stdout stderr
    linux unix major minor makedev offsetof va_arg signbit isgreater isless isunordered math_errhandling FP_NAN
    FP_INFINITE FP_ZERO FP_NORMAL FP_SUBNORMAL CUDA_CHECK CUDART_VERSION TMP_MAX L_tmpnam FILENAME_MAX DOMAIN SING
    OVERFLOW UNDERFLOW PLOSS TLOSS MAXFLOAT X_TLOSS""".split()
)

BUILT_IN_VARIABLES = frozenset("threadIdx blockIdx blockDim gridDim warpSize".split())

_LIBRARY = frozenset(
    """abort abs access acos acosh alarm asin asinh atan atan2 atanh atexit atof atoi atol atoll basename bcmp bcopy
    bsearch bzero calloc cbrt ceil chdir clamp clearerr clock clone close connect copysign cos cosh cospi creat crypt
    cyl_bessel_i0 cyl_bessel_i1 daemon dev_t difftime div double_t drem dup dup2 environ erand48 erf erfc erfcinv
    erfcx erfinv exit exp exp10 exp2 expm1 fabs fclose fdim fdividef feof ferror fflush ffs fgetc fgets fileno
    float_t floor fma fmax fmin fmod fopen fork fprintf fputc fputs fread free freopen frexp fscanf fseek ftell
    fwrite gamma getc getchar getenv gets getpid getw hypot ilogb index int8_t int16_t int32_t int64_t io isalnum
    isalpha isatty iscntrl isdigit isfinite isgraph isinf islower isnan isnormal isprint ispunct isspace isupper
    isxdigit j0 j1 jn jrand48 kill labs ldexp ldiv lgamma link listen llabs lldiv llrint llround localtime log log10
    log1p log2 logb logf longjmp lrand48 lrint lround lseek malloc max memccpy memchr memcmp memcpy memmove memset
    min mktime modf mrand48 nan nearbyint nextafter nice norm norm3d norm4d normcdf normcdfinv nrand48 open pause
    perror pipe poll pow pow10 printf putc putchar puts putw qsort quick_exit raise rand rand_r random rcbrt read
    realloc recv reduce_all remainder remove remquo rename rewind rhypot rindex rint rmdir rnorm rnorm3d rnorm4d
    round rsqrt scalb scalbln scalbn scanf seed48 select send setbuf setenv setjmp signal significand sin sincos
    sincospi sinh sinpi size_t sleep snprintf socket sprintf sqrt srand srand48 srandom sscanf stat std strcat
    strchr strcmp strcoll strcpy strcspn strdup strerror strlen strncat strncmp strncpy strpbrk strrchr strspn
    strstr strtod strtof strtok strtol strtoul strxfrm swab sync system tan tanh tgamma time times timezone
    tmpfile tmpnam tolower toupper trap trunc truncate ungetc unlink usleep valloc vfork vprintf wait wcslen write
    y0 y1 yn umin umax llmin llmax ullmin ullmax saturate mulhi mul24 umul24 float_as_int int_as_float clock64
    uint ushort ulong uchar texture surface tex1D tex2D tex3D assert cuda nv dim3 uint8_t uint16_t uint32_t uint64_t
    cudaError_t main Array Buffer string vector""".split()
)

_PATTERN = re.compile(
    r"(u?char|u?short|u?int|u?long|u?longlong|float|double)[1-4](_16a|_32a)?$"
    r"|(make_|atomic[A-Z]|cuda[A-Z_]|cu[A-Z]|tex[1-3]D|surf[1-3]D|nv_)"
    r"|half2?$|\w+_t$|_[A-Z]"
    r"|(a?(sin|cos|tan)h?|exp(2|10|m1)?|log(2|10|1p|b)?|sqrt|r?sqrt|cbrt|rcbrt|pow|fabs|floor|ceil|round|trunc|rint"
    r"|fma|fmin|fmax|fmod|fdim|hypot|erf|erfc|erfinv|lgamma|tgamma|atan2|copysign|j[01n]|y[01n]|norm(cdf)?|modf"
    r"|frexp|ldexp|remainder|nearbyint|lrint|llrint|lround|llround|sinpi|cospi|sincos|logb|ilogb|scalbn|fdivide)[fl]$"
)


def reserved_at_namespace_scope(name: str) -> bool:
    """Whether C++, CUDA, the C library or the program's frame claims a name at namespace scope."""
    return (
        name in KEYWORDS
        or name in MACROS
        or name in BUILT_IN_VARIABLES
        or name in _LIBRARY
        or name in TOP_LEVEL
        or (_PATTERN.match(name) is not None and not name.endswith("_"))
    )


def reserved_for_locals(name: str) -> bool:
    """Whether a variable cannot have this name whatever the program uses."""
    return name in KEYWORDS or name in MACROS or name in BUILT_IN_VARIABLES or name == "std"


def global_name(name: str, taken: set[str]) -> str:
    """The C++ name of a function, struct or constant of the user's."""
    return _with_underscore(_without_reserved_form(name), taken, reserved_at_namespace_scope)


def local_name(name: str, taken: set[str]) -> str:
    """The C++ name of a variable or parameter of the user's."""
    return _with_underscore(_without_reserved_form(name), taken, reserved_for_locals)


def _without_reserved_form(name: str) -> str:
    """C++ keeps names with two underscores, or one and a capital letter, to itself."""
    name = re.sub(r"__+", "_", name)
    return name[1:] if re.match(r"_[A-Z]", name) else name


def _with_underscore(name: str, taken: set[str], reserved: Callable[[str], bool]) -> str:
    """`name`, then `name_`, then `name_2`, `name_3`, … until nothing has it."""
    stem = name.rstrip("_")
    candidates = itertools.chain((name, f"{stem}_"), (f"{stem}_{number}" for number in itertools.count(2)))
    return next(candidate for candidate in candidates if not reserved(candidate) and candidate not in taken)

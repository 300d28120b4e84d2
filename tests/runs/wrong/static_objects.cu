// Programs with static objects that reach beyond them, in a shard of their own: it is compiled in parts to find them.
// Each begins with its name and the verdict that it deserves; test_adversaries.py says what it may use.

//// beside them: verified
//// launch
RIGHT;

//// ends in a static constructor: crash
struct Quit { Quit() { std::exit(0); } };
static Quit quit;

//// a destructor that ends well: crash
struct Last { ~Last() { _exit(0); } };
static Last last;

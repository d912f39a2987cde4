// std's regular expressions, for the host: they take anything and yield something opaque.
#pragma once

#include "coalint/std_collections.h"

COALINT_HOST_DEVICE_BEGIN

namespace std {
namespace regex_constants {
enum syntax_option_type { icase = 1, nosubs = 2, optimize = 4, collate = 8, ECMAScript = 16, basic = 32, extended = 64, awk = 128, grep = 256, egrep = 512 };
enum match_flag_type { match_default = 0, format_default = 0, match_not_bol = 1, match_any = 4, format_no_copy = 8, format_first_only = 16 };
constexpr syntax_option_type operator|(syntax_option_type a, syntax_option_type b) { return syntax_option_type(int(a) | int(b)); }
constexpr match_flag_type operator|(match_flag_type a, match_flag_type b) { return match_flag_type(int(a) | int(b)); }
}  // namespace regex_constants
struct regex_error : runtime_error { using runtime_error::runtime_error; };
template <class C_> struct basic_regex {
    typedef regex_constants::syntax_option_type flag_type;
    static constexpr flag_type icase = regex_constants::icase, ECMAScript = regex_constants::ECMAScript, optimize = regex_constants::optimize, extended = regex_constants::extended, grep = regex_constants::grep, egrep = regex_constants::egrep, nosubs = regex_constants::nosubs;
    basic_regex();
    template <class... A_> basic_regex(const A_&...);
    template <class A_> basic_regex& operator=(const A_&);
};
typedef basic_regex<char> regex;
typedef basic_regex<wchar_t> wregex;
template <class I_> struct sub_match { I_ first, second; bool matched; string str() const; operator string() const; size_t length() const; };
template <class I_> struct match_results {
    typedef sub_match<I_> value_type;
    size_t size() const; bool empty() const; bool ready() const; size_t position(size_t = 0) const; size_t length(size_t = 0) const; string str(size_t = 0) const;
    const sub_match<I_>& operator[](size_t) const; const sub_match<I_>& prefix() const; const sub_match<I_>& suffix() const;
    const sub_match<I_>* begin() const; const sub_match<I_>* end() const;
};
typedef match_results<const char*> cmatch;
typedef match_results<const char*> smatch;
typedef sub_match<const char*> csub_match;
typedef sub_match<const char*> ssub_match;
template <class... A_> bool regex_match(A_&&...);
template <class... A_> bool regex_search(A_&&...);
template <class... A_> string regex_replace(A_&&...);
template <class I_> struct regex_iterator {
    typedef match_results<I_> value_type;
    regex_iterator();
    template <class... A_> regex_iterator(const A_&...);
    const value_type& operator*() const; const value_type* operator->() const; regex_iterator& operator++();
    bool operator!=(const regex_iterator&) const; bool operator==(const regex_iterator&) const;
};
typedef regex_iterator<const char*> cregex_iterator;
typedef regex_iterator<const char*> sregex_iterator;
template <class I_> struct regex_token_iterator {
    regex_token_iterator();
    template <class... A_> regex_token_iterator(const A_&...);
    const sub_match<I_>& operator*() const; const sub_match<I_>* operator->() const; regex_token_iterator& operator++();
    bool operator!=(const regex_token_iterator&) const; bool operator==(const regex_token_iterator&) const;
};
typedef regex_token_iterator<const char*> cregex_token_iterator;
typedef regex_token_iterator<const char*> sregex_token_iterator;
}  // namespace std

COALINT_HOST_DEVICE_END

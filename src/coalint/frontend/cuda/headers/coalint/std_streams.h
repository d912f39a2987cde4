// std's file and string streams.
#pragma once

COALINT_HOST_DEVICE_BEGIN

namespace std {
class stringbuf : public streambuf { public: stringbuf(); explicit stringbuf(const string&); string str() const; void str(const string&); };
class ofstream : public ostream {
  public:
    ofstream(); explicit ofstream(const string&, ios_base::openmode = ios_base::out); explicit ofstream(const char*, ios_base::openmode = ios_base::out);
    void open(const string&, ios_base::openmode = ios_base::out); void close(); bool is_open() const;
};
class ifstream : public istream {
  public:
    ifstream(); explicit ifstream(const string&, ios_base::openmode = ios_base::in); explicit ifstream(const char*, ios_base::openmode = ios_base::in);
    void open(const string&, ios_base::openmode = ios_base::in); void close(); bool is_open() const; streambuf* rdbuf() const;
};
class fstream : public iostream {
  public:
    fstream(); explicit fstream(const string&, ios_base::openmode = ios_base::in); explicit fstream(const char*, ios_base::openmode = ios_base::in);
    void open(const string&, ios_base::openmode = ios_base::in); void close(); bool is_open() const;
};
class ostringstream : public ostream { public: ostringstream(); explicit ostringstream(const string&); string str() const; void str(const string&); };
class istringstream : public istream { public: istringstream(); explicit istringstream(const string&); string str() const; void str(const string&); };
class stringstream : public iostream { public: stringstream(); explicit stringstream(const string&); string str() const; void str(const string&); };
template <class T_> struct istreambuf_iterator {
    typedef T_ value_type; typedef ptrdiff_t difference_type; typedef T_* pointer; typedef T_& reference; typedef input_iterator_tag iterator_category;
    istreambuf_iterator(); istreambuf_iterator(istream&);
    T_ operator*() const; istreambuf_iterator& operator++(); bool operator!=(const istreambuf_iterator&) const;
};
template <class T_> struct istream_iterator {
    typedef T_ value_type; typedef ptrdiff_t difference_type; typedef T_* pointer; typedef T_& reference; typedef input_iterator_tag iterator_category;
    istream_iterator(); istream_iterator(istream&);
    T_ operator*() const; istream_iterator& operator++(); bool operator!=(const istream_iterator&) const;
};
template <class T_> struct ostream_iterator {
    ostream_iterator(ostream&, const char* = ""); ostream_iterator& operator*(); ostream_iterator& operator++(); ostream_iterator& operator++(int);
    ostream_iterator& operator=(const T_&);
};
}  // namespace std

COALINT_HOST_DEVICE_END

// Floating-point numbers as text, with a point whatever the locale. std::to_chars would write them, too, but brings 100 KB of
// tables.
#pragma once
#include <string>
#include <string_view>

namespace sapwood {

// Appends a number with `places` digits behind the point, as printf's %.*f.
void append_fixed(std::string& out, double number, int places);
// Appends a number with `digits` significant digits, without zeros at the end, as printf's %.*g.
void append_rounded(std::string& out, double number, int digits);
// Appends a number with as few digits, 15 to 17 without zeros at the end, as are read back as the same number.
void append_exact(std::string& out, double number);

// Appends a number that printf wrote, with a point in place of the locale's.
void append_with_point(std::string& out, std::string_view written);

}  // namespace sapwood

// Floating-point numbers as text, with a point whatever the locale. std::to_chars would write them, too, but brings 100 KB of
// tables.
#pragma once
#include <string>
#include <string_view>

namespace sapwood {

// So many places behind the point, as printf's %.*f.
void append_fixed(std::string& out, double number, int places);
// So many significant digits, without zeros at the end, as printf's %.*g.
void append_rounded(std::string& out, double number, int digits);
// 15 to 17 significant digits, as few of these as are read back as the same number, without zeros at the end.
void append_exact(std::string& out, double number);

// What printf wrote, with a point in place of the locale's.
void append_with_point(std::string& out, std::string_view written);

}  // namespace sapwood

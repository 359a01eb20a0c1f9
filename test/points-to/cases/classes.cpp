// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Containers, virtual functions, exceptions, lambdas, pointers to members, smart pointers, strings.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
  std::string name = "shape";
};
struct Circle : Shape {
  double radius = 2;
  double area() const override { return radius * radius * 3; }
};
struct Square final : virtual Shape {
  std::vector<double> sides{1, 2, 3};
  double area() const override { return sides[0] * sides.back(); }
};
struct Problem : std::runtime_error {
  double *where;
  Problem(double *place) : std::runtime_error("problem"), where(place) {}
};
struct Fields {
  std::vector<double> x, y;
  double &atX(size_t i) { return x[i]; }
  double &atY(size_t i) { return y[i]; }
};

int main() {
  double result = 0, seven = 7;
  std::vector<std::unique_ptr<Shape>> shapes;
  for (int i = 0; i < 6; ++i)
    if (i % 2)
      shapes.push_back(std::make_unique<Circle>());
    else
      shapes.push_back(std::make_unique<Square>());
  for (auto &shape : shapes)
    result += shape->area() + double(shape->name.size());
  std::map<std::string, std::vector<int>> table;
  for (int i = 0; i < 20; ++i)
    table["key" + std::to_string(i % 5)].push_back(i);
  for (auto &[key, values] : table)
    result += double(key.size()) + std::accumulate(values.begin(), values.end(), 0);
  std::unordered_map<int, std::string> names;
  for (int i = 0; i < 50; ++i)
    names[i] = std::string(size_t(i), 'x');
  for (auto &[key, value] : names)
    result += key + double(value.size());
  std::list<int> list{5, 3, 9};
  list.sort();
  list.push_front(1);
  for (int value : list)
    result += value;
  try {
    throw Problem(&seven);
  } catch (const std::exception &error) {
    *dynamic_cast<const Problem &>(error).where = 8;
    result += std::string(error.what()).size();
  }
  result += seven;
  std::function<double(double)> add = [&](double value) { return seven += value; };
  result += add(3);
  Fields fields;
  fields.x.assign(10, 1.5);
  fields.y.assign(10, 2.5);
  double &(Fields::*member)(size_t) = result > 3 ? &Fields::atX : &Fields::atY;
  (fields.*member)(4) = 100;
  result += std::accumulate(fields.x.begin(), fields.x.end(), 0.0) + fields.y[4];
  auto shared = std::make_shared<Fields>(fields);
  std::weak_ptr<Fields> weak = shared;
  weak.lock()->y[3] = 9;
  result += shared->y[3];
  std::sort(fields.x.rbegin(), fields.x.rend());
  result += fields.x.front();
  std::ostringstream out;
  out << result << ' ' << seven;
  std::istringstream in(out.str());
  double first = 0, second = 0;
  in >> first >> second;
  std::printf("%g %g\n", first, second);
}

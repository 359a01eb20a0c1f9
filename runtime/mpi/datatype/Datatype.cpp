// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The constructors of derived datatypes. Each reduces to families of blocks, for which
/// DatatypeBuilder keeps layout, bounds and signature. Bounds are MPI 4.1's, section 5.1.6:
///   lb = the lowest explicit lower bound if there is one, else the lowest byte;
///   ub = the highest explicit upper bound if there is one, else the highest byte,
///        rounded up so that the extent is a multiple of the strictest alignment of the basic types.
#include "mpi/datatype/Datatype.h"

#include "mpi/datatype/Signature.h"
#include "support/Check.h"

#include <algorithm>
#include <limits>

namespace gnomon::mpi {

class DatatypeBuilder {
public:
  explicit DatatypeBuilder(Combiner combiner) { type_->contents_.combiner = combiner; }

  /// Adds \p count blocks, \p stride bytes apart from \p displacement on, of \p blockLength
  /// elements each.
  void add(int64_t displacement, int64_t count, int64_t stride, int64_t blockLength,
           const Datatype &old);
  void integers(std::initializer_list<int64_t> values) {
    for (int64_t value : values)
      type_->contents_.integers.push_back(value);
  }
  void integers(CountList values) {
    for (size_t i = 0; i < values.size(); ++i)
      type_->contents_.integers.push_back(values[i]);
  }
  void address(int64_t value) { type_->contents_.addresses.push_back(value); }
  void addresses(std::span<const int64_t> values) {
    type_->contents_.addresses.assign(values.begin(), values.end());
  }
  void madeFrom(const Datatype &old) { type_->contents_.types.emplace_back(old); }
  /// Makes the bounds explicit.
  void bounds(int64_t lowerBound, int64_t upperBound) {
    stickyLow_ = lowerBound;
    stickyHigh_ = upperBound;
    type_->stickyLowerBound_ = type_->stickyUpperBound_ = true;
  }
  /// Sets layout and signature at once: \p repeat elements of \p old that lie as \p layout says.
  void lay(Layout layout, int64_t repeat, const Datatype &old) {
    layout_ = std::move(layout);
    sign(repeat, old);
  }
  Datatype *finish();
  static Datatype *copy(const Datatype &old);
  static Datatype *duplicate(const Datatype &old);
  static Datatype *fortranKind(Combiner combiner, CountList precisionAndRange, const Datatype &old);

private:
  void sign(int64_t repeat, const Datatype &old);

  Datatype *type_ = new Datatype;
  Layout layout_;
  int64_t stickyLow_ = std::numeric_limits<int64_t>::max();
  int64_t stickyHigh_ = std::numeric_limits<int64_t>::min();
};

void DatatypeBuilder::sign(int64_t repeat, const Datatype &old) {
  if (repeat == 0)
    return;
  type_->size_ += repeat * old.size_;
  type_->basicCount_ += repeat * old.basicCount_;
  if (old.size_ > 0)
    type_->alignment_ = std::max(type_->alignment_, old.alignment_);
  auto &parts = type_->parts_;
  if (!parts.empty() && parts.back().type.get() == &old)
    parts.back().repeat += repeat;
  else
    parts.push_back({repeat, old});
}

void DatatypeBuilder::add(int64_t displacement, int64_t count, int64_t stride, int64_t blockLength,
                          const Datatype &old) {
  if (count == 0 || blockLength == 0)
    return;
  sign(count * blockLength, old);
  Layout block = repeatLayout(old.layout_, blockLength, old.extent(), 0);
  if (count == 1) {
    for (Loop &loop : block)
      loop.offset += displacement;
    appendLayout(layout_, block);
  } else {
    appendLayout(layout_, repeatLayout(std::make_shared<const Layout>(std::move(block)), count,
                                       stride, displacement));
  }
  const int64_t lastBlock = (count - 1) * stride;
  const int64_t lastElement = (blockLength - 1) * old.extent();
  if (old.stickyLowerBound_) {
    type_->stickyLowerBound_ = true;
    stickyLow_ = std::min(stickyLow_, displacement + std::min<int64_t>(0, lastBlock) +
                                          std::min<int64_t>(0, lastElement) + old.lowerBound_);
  }
  if (old.stickyUpperBound_) {
    type_->stickyUpperBound_ = true;
    stickyHigh_ = std::max(stickyHigh_, displacement + std::max<int64_t>(0, lastBlock) +
                                            std::max<int64_t>(0, lastElement) + old.upperBound_);
  }
}

Datatype *DatatypeBuilder::finish() {
  Datatype &type = *type_;
  type.layout_ = std::make_shared<const Layout>(compressLayout(std::move(layout_)));
  const LayoutBounds bytes = boundsOf(*type.layout_);
  type.trueLowerBound_ = bytes.low;
  type.trueUpperBound_ = bytes.high;
  type.lowerBound_ = type.stickyLowerBound_ ? stickyLow_ : bytes.low;
  type.upperBound_ = type.stickyUpperBound_ ? stickyHigh_ : bytes.high;
  if (!type.stickyUpperBound_ && type.size_ > 0) {
    const int64_t excess = type.extent() % type.alignment_;
    if (excess > 0)
      type.upperBound_ += type.alignment_ - excess;
  }
  const Layout &layout = *type.layout_;
  type.oneBlock_ =
      layout.empty() || (layout.size() == 1 && layout[0].isRun() && layout[0].offset == 0);
  type.contiguous_ = type.oneBlock_ && (type.size_ == 0 || type.size_ == type.extent());
  type.sign();
  return &type;
}

Datatype *DatatypeBuilder::copy(const Datatype &old) {
  auto *type = new Datatype(old);
  type->references_ = 1;
  type->handle_ = nullptr;
  return type;
}

Datatype *DatatypeBuilder::duplicate(const Datatype &old) {
  Datatype *type = copy(old);
  type->name_.clear();
  type->parts_ = {{1, old}};
  type->contents_ = {};
  type->contents_.combiner = Combiner::Dup;
  type->contents_.types.emplace_back(old);
  return type;
}

Datatype *DatatypeBuilder::fortranKind(Combiner combiner, CountList precisionAndRange,
                                       const Datatype &old) {
  Datatype *type = duplicate(old);
  type->contents_.combiner = combiner;
  type->contents_.types.clear();
  for (size_t i = 0; i < precisionAndRange.size(); ++i)
    type->contents_.integers.push_back(precisionAndRange[i]);
  type->committed_ = true;
  return type;
}

void Datatype::sign() {
  std::vector<SignedPart> parts;
  for (const Part &part : parts_)
    parts.push_back({part.repeat, part.type->size(), part.type->signature()});
  signature_ = signatureOf(parts);
}

void Datatype::release() const {
  if (--references_ == 0) {
    CHECK(!isPredefined(), "a predefined datatype lives for ever");
    delete this;
  }
}

Datatype *Datatype::copy(const Datatype &old) { return DatatypeBuilder::copy(old); }
Datatype *Datatype::duplicate(const Datatype &old) { return DatatypeBuilder::duplicate(old); }

Datatype *Datatype::fortranKind(Combiner combiner, CountList precisionAndRange,
                                const Datatype &old) {
  return DatatypeBuilder::fortranKind(combiner, precisionAndRange, old);
}

Datatype *Datatype::contiguous(int64_t count, const Datatype &old) {
  DatatypeBuilder builder(Combiner::Contiguous);
  builder.add(0, 1, 0, count, old);
  builder.integers({count});
  builder.madeFrom(old);
  return builder.finish();
}

Datatype *Datatype::vector(int64_t count, int64_t blockLength, int64_t stride,
                           const Datatype &old) {
  DatatypeBuilder builder(Combiner::Vector);
  builder.add(0, count, stride * old.extent(), blockLength, old);
  builder.integers({count, blockLength, stride});
  builder.madeFrom(old);
  return builder.finish();
}

Datatype *Datatype::hvector(int64_t count, int64_t blockLength, int64_t strideBytes,
                            const Datatype &old) {
  DatatypeBuilder builder(Combiner::Hvector);
  builder.add(0, count, strideBytes, blockLength, old);
  builder.integers({count, blockLength});
  builder.address(strideBytes);
  builder.madeFrom(old);
  return builder.finish();
}

Datatype *Datatype::indexed(CountList blockLengths, CountList displacements, const Datatype &old) {
  DatatypeBuilder builder(Combiner::Indexed);
  for (size_t i = 0; i < blockLengths.size(); ++i)
    builder.add(displacements[i] * old.extent(), 1, 0, blockLengths[i], old);
  builder.integers({static_cast<int64_t>(blockLengths.size())});
  builder.integers(blockLengths);
  builder.integers(displacements);
  builder.madeFrom(old);
  return builder.finish();
}

Datatype *Datatype::hindexed(CountList blockLengths, std::span<const int64_t> displacementBytes,
                             const Datatype &old) {
  DatatypeBuilder builder(Combiner::Hindexed);
  for (size_t i = 0; i < blockLengths.size(); ++i)
    builder.add(displacementBytes[i], 1, 0, blockLengths[i], old);
  builder.integers({static_cast<int64_t>(blockLengths.size())});
  builder.integers(blockLengths);
  builder.addresses(displacementBytes);
  builder.madeFrom(old);
  return builder.finish();
}

Datatype *Datatype::indexedBlock(int64_t blockLength, CountList displacements,
                                 const Datatype &old) {
  DatatypeBuilder builder(Combiner::IndexedBlock);
  for (size_t i = 0; i < displacements.size(); ++i)
    builder.add(displacements[i] * old.extent(), 1, 0, blockLength, old);
  builder.integers({static_cast<int64_t>(displacements.size()), blockLength});
  builder.integers(displacements);
  builder.madeFrom(old);
  return builder.finish();
}

Datatype *Datatype::hindexedBlock(int64_t blockLength, std::span<const int64_t> displacementBytes,
                                  const Datatype &old) {
  DatatypeBuilder builder(Combiner::HindexedBlock);
  for (int64_t displacement : displacementBytes)
    builder.add(displacement, 1, 0, blockLength, old);
  builder.integers({static_cast<int64_t>(displacementBytes.size()), blockLength});
  builder.addresses(displacementBytes);
  builder.madeFrom(old);
  return builder.finish();
}

Datatype *Datatype::structure(CountList blockLengths, std::span<const int64_t> displacementBytes,
                              std::span<const Datatype *const> types) {
  DatatypeBuilder builder(Combiner::Struct);
  builder.integers({static_cast<int64_t>(blockLengths.size())});
  builder.integers(blockLengths);
  builder.addresses(displacementBytes);
  for (size_t i = 0; i < blockLengths.size(); ++i) {
    builder.add(displacementBytes[i], 1, 0, blockLengths[i], *types[i]);
    builder.madeFrom(*types[i]);
  }
  return builder.finish();
}

Datatype *Datatype::resized(const Datatype &old, int64_t lowerBound, int64_t extent) {
  DatatypeBuilder builder(Combiner::Resized);
  builder.lay(old.layout(), 1, old);
  builder.bounds(lowerBound, lowerBound + extent);
  builder.address(lowerBound);
  builder.address(extent);
  builder.madeFrom(old);
  return builder.finish();
}

/// Dimension \p step of an array of \p dimensions, counted from the one that varies fastest in
/// memory.
static size_t fastest(size_t step, size_t dimensions, ArrayOrder order) {
  return order == ArrayOrder::C ? dimensions - 1 - step : step;
}

Datatype *Datatype::subarray(CountList sizes, CountList subsizes, CountList starts,
                             ArrayOrder order, const Datatype &old) {
  DatatypeBuilder builder(Combiner::Subarray);
  auto layout = old.layout_;
  int64_t stride = old.extent(), elements = 1;
  for (size_t step = 0; step < sizes.size(); ++step) {
    const size_t d = fastest(step, sizes.size(), order);
    layout = std::make_shared<const Layout>(
        repeatLayout(layout, subsizes[d], stride, starts[d] * stride));
    stride *= sizes[d];
    elements *= subsizes[d];
  }
  builder.lay(*layout, elements, old);
  builder.bounds(0, stride);
  builder.integers({static_cast<int64_t>(sizes.size())});
  builder.integers(sizes);
  builder.integers(subsizes);
  builder.integers(starts);
  builder.integers({static_cast<int64_t>(order)});
  builder.madeFrom(old);
  return builder.finish();
}

namespace {

/// One dimension of a block-cyclic distribution: blocks of `block` elements dealt to `processes`.
struct Deal {
  int64_t size, block, processes, coordinate;

  int64_t fullBlocks() const { return count(size / block); }
  /// Elements of the last, shorter block, if it is this process's; else 0.
  int64_t rest() const {
    const int64_t whole = size / block;
    return whole % processes == coordinate ? size % block : 0;
  }
  int64_t restStart() const { return size / block * block; }

private:
  int64_t count(int64_t blocks) const {
    return blocks > coordinate ? (blocks - coordinate - 1) / processes + 1 : 0;
  }
};

enum Distribution : int { None = 16, Block = 17, Cyclic = 18, DefaultArgument = 19 };

int64_t blockOf(int64_t distribution, int64_t argument, int64_t size, int64_t processes) {
  switch (distribution) {
  case Block:
    return argument == DefaultArgument ? (size + processes - 1) / processes : argument;
  case Cyclic:
    return argument == DefaultArgument ? 1 : argument;
  default:
    return size;
  }
}

} // namespace

Datatype *Datatype::darray(int processes, int rank, CountList sizes, CountList distributions,
                           CountList arguments, CountList grid, ArrayOrder order,
                           const Datatype &old) {
  DatatypeBuilder builder(Combiner::Darray);
  const size_t dimensions = sizes.size();
  // The process grid is always row-major, whatever the order of the array (MPI 4.1, section 5.1.4).
  std::vector<int64_t> coordinates(dimensions);
  for (size_t d = dimensions, rest = static_cast<size_t>(rank); d-- > 0;) {
    coordinates[d] = static_cast<int64_t>(rest) % grid[d];
    rest /= static_cast<size_t>(grid[d]);
  }
  auto layout = old.layout_;
  int64_t stride = old.extent(), elements = 1;
  for (size_t step = 0; step < dimensions; ++step) {
    const size_t d = fastest(step, dimensions, order);
    const int64_t block =
        std::max<int64_t>(1, blockOf(distributions[d], arguments[d], sizes[d], grid[d]));
    const Deal deal{sizes[d], block, grid[d], coordinates[d]};
    auto oneBlock = std::make_shared<const Layout>(repeatLayout(layout, block, stride, 0));
    Layout all = repeatLayout(oneBlock, deal.fullBlocks(), block * grid[d] * stride,
                              coordinates[d] * block * stride);
    appendLayout(all, repeatLayout(layout, deal.rest(), stride, deal.restStart() * stride));
    layout = std::make_shared<const Layout>(std::move(all));
    elements *= deal.fullBlocks() * block + deal.rest();
    stride *= sizes[d];
  }
  builder.lay(*layout, elements, old);
  builder.bounds(0, stride);
  builder.integers({processes, rank, static_cast<int64_t>(dimensions)});
  for (CountList list : {sizes, distributions, arguments, grid})
    builder.integers(list);
  builder.integers({static_cast<int64_t>(order)});
  builder.madeFrom(old);
  return builder.finish();
}

} // namespace gnomon::mpi

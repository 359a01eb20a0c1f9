!mod$ v1 sum:7ef786ed62b4d380
module state
integer(4)::plain
integer(4)::initialised
real(8)::field(1_8:50_8)
real(8),allocatable::grid(:,:)
integer(4),target::aim
integer(4),pointer::arrow
type::point
integer(4)::x=1_4
integer(4)::y=2_4
real(8),allocatable::list(:)
end type
type(point)::corner
character(8_4,1)::label
logical(4),private::secret
integer(4),parameter::fixed=42_4
contains
function next()
integer(4)::next
end
subroutine hide(on)
logical(4),intent(in)::on
end
function hidden()
logical(4)::hidden
end
end

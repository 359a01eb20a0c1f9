!mod$ v1 sum:d659ce99b3b37492
module fields
integer(4),parameter::n=96_4
real(8),allocatable::old(:,:)
real(8),allocatable::new(:,:)
real(8)::weight
real(8)::residual
real(8)::fixed(1_8:96_8,1_8:96_8)
integer(4)::lower
integer(4)::upper
integer(4)::table(1_8:256_8)
contains
subroutine stencil()
end
subroutine relax()
end
subroutine blocked()
end
end

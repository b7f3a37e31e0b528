module wild/archive-verify

go 1.20

require wild/kit v0.0.0

require github.com/ulikunitz/xz v0.5.12

replace wild/kit => ../../kit

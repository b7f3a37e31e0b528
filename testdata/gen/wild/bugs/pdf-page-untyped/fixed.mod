module wild/pdf-page-untyped

go 1.26

require (
	github.com/ledongthuc/pdf v0.0.0-20260907135840-6c8c28e0e8a0
	wild/kit v0.0.0
)

replace wild/kit => ../../kit

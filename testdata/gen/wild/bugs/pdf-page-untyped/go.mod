module wild/pdf-page-untyped

go 1.26

require (
	github.com/ledongthuc/pdf v0.0.0-20200323191019-23c5852adbd2
	wild/kit v0.0.0
)

replace wild/kit => ../../kit

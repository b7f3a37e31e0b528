module wild/pond-idle-purge

go 1.26

require (
	github.com/alitto/pond v1.8.0
	wild/kit v0.0.0
)

replace wild/kit => ../../kit

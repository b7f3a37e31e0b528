module wild/puddle-create-closed

go 1.26

require (
	github.com/jackc/puddle v1.3.0
	wild/kit v0.0.0
)

replace wild/kit => ../../kit

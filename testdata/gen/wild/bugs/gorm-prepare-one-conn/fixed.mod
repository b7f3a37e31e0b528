module wild/gorm-prepare-one-conn

go 1.26

require (
	gorm.io/gorm v1.25.6
	wild/kit v0.0.0
)

require (
	github.com/jinzhu/inflection v1.0.0 // indirect
	github.com/jinzhu/now v1.1.5 // indirect
)

replace wild/kit => ../../kit

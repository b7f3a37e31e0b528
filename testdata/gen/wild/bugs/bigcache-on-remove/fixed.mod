module wild/bigcache-on-remove

go 1.26

require (
	github.com/allegro/bigcache v1.2.1
	wild/kit v0.0.0
)

require github.com/stretchr/testify v1.12.1 // indirect

replace wild/kit => ../../kit

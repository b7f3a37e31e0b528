module wild/buntdb-update-in-view

go 1.26

require (
	github.com/tidwall/buntdb v1.1.2
	wild/kit v0.0.0
)

require (
	github.com/stretchr/testify v1.12.1 // indirect
	github.com/tidwall/btree v0.0.0-20191029221954-400434d76274 // indirect
	github.com/tidwall/gjson v1.3.4 // indirect
	github.com/tidwall/grect v0.0.0-20161006141115-ba9a043346eb // indirect
	github.com/tidwall/match v1.0.1 // indirect
	github.com/tidwall/pretty v1.0.0 // indirect
	github.com/tidwall/rtree v0.0.0-20180113144539-6cd427091e0e // indirect
	github.com/tidwall/tinyqueue v0.0.0-20180302190814-1e39f5511563 // indirect
)

replace wild/kit => ../../kit

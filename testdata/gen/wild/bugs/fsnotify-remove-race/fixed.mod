module wild/fsnotify-remove-race

go 1.26

require (
	github.com/fsnotify/fsnotify v1.9.0
	wild/kit v0.0.0
)

require golang.org/x/sys v0.13.0 // indirect

replace wild/kit => ../../kit

module wild/tail-stop-undrained

go 1.26.0

require (
	github.com/hpcloud/tail v1.0.0
	wild/kit v0.0.0
)

require (
	github.com/fsnotify/fsnotify v1.10.1 // indirect
	golang.org/x/sys v0.49.0 // indirect
	gopkg.in/fsnotify.v1 v1.4.7 // indirect
	gopkg.in/tomb.v1 v1.0.0-20141024135613-dd632973f1e7 // indirect
)

replace wild/kit => ../../kit

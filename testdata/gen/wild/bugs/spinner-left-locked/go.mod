module wild/spinner-left-locked

go 1.26

require (
	github.com/briandowns/spinner v1.10.0
	wild/kit v0.0.0
)

require (
	github.com/fatih/color v1.7.0 // indirect
	github.com/mattn/go-colorable v0.1.2 // indirect
	github.com/mattn/go-isatty v0.0.8 // indirect
	golang.org/x/sys v0.0.0-20190222072716-a9d3bda3a223 // indirect
)

replace wild/kit => ../../kit

module wild/chart-stacked-bar

go 1.26

require (
	github.com/wcharczuk/go-chart/v2 v2.1.1
	wild/kit v0.0.0
)

require (
	github.com/blend/go-sdk v1.20220411.3 // indirect
	github.com/golang/freetype v0.0.0-20170609003504-e2365dfdc4a0 // indirect
	golang.org/x/image v0.11.0 // indirect
)

replace wild/kit => ../../kit

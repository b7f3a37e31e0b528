module example.com/thumbnails

go 1.26.0

require (
	example.com/well v0.0.0
	golang.org/x/sync v0.23.0
	golang.org/x/time v0.9.0
)

replace example.com/well => ../

module example.com/services

go 1.22

require (
	example.net/lib v0.1.0
	golang.org/x/sync v0.10.0
)

replace example.net/lib => ./lib

module wild/semaphore-canceled-front

go 1.26

require (
	golang.org/x/sync v0.0.0-20190911185100-cd5d95a43a6e
	wild/kit v0.0.0
)

replace wild/kit => ../../kit

module wild/semaphore-canceled-front

go 1.26

require (
	golang.org/x/sync v0.0.0-20200625203802-6e8e738ad208
	wild/kit v0.0.0
)

replace wild/kit => ../../kit

module wild/cmap-iter-break

go 1.26

require (
	github.com/orcaman/concurrent-map v1.0.0
	wild/kit v0.0.0
)

replace wild/kit => ../../kit

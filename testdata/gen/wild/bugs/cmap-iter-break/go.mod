module wild/cmap-iter-break

go 1.26

require (
	github.com/orcaman/concurrent-map v0.0.0-20160823150647-8bf1e9bacbf6
	wild/kit v0.0.0
)

replace wild/kit => ../../kit

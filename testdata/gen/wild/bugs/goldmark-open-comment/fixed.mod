module wild/goldmark-open-comment

go 1.26

require (
	github.com/yuin/goldmark v1.8.2
	wild/kit v0.0.0
)

replace wild/kit => ../../kit

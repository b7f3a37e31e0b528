module wild/gomarkdown-paragraph

go 1.26

require (
	github.com/gomarkdown/markdown v0.0.0-20260411013819-759bbc3e3207
	wild/kit v0.0.0
)

replace wild/kit => ../../kit

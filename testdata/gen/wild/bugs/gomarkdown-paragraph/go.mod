module wild/gomarkdown-paragraph

go 1.26

require (
	github.com/gomarkdown/markdown v0.0.0-20240626202925-2eda941fd024
	wild/kit v0.0.0
)

replace wild/kit => ../../kit

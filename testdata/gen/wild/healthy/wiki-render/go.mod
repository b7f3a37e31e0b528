module wild/wiki-render

go 1.22

require wild/kit v0.0.0

require github.com/gomarkdown/markdown v0.0.0-20260411013819-759bbc3e3207

replace wild/kit => ../../kit

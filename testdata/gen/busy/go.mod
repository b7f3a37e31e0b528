module example.com/busy

go 1.26

require example.org/markup v0.0.0

replace example.org/markup => ./markup

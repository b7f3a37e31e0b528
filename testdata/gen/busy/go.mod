module example.com/busy

go 1.26

require example.org/markup v0.0.0

require gopkg.in/yaml.v3 v3.0.1

replace example.org/markup => ./markup

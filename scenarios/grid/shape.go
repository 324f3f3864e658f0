package grid

import "rocesim/scenarios/strict"

// Shape describes the path of a scenario file.
func (f *File) Shape() strict.Shape { return strict.TextShape("a text") }

// Shape describes a list of values or a range for each path of a field.
func (a *Axes) Shape() strict.Shape {
	values := strict.ListShape(strict.Shape{}, 1, 0)
	return strict.TableShape(strict.ChoiceShape("a list of values or a range", values, strict.ShapeOf(Span{})))
}

// Shape describes a list of lists of paths.
func (l *Links) Shape() strict.Shape {
	return strict.ListShape(strict.ListShape(strict.TextShape("a field"), 0, 0), 0, 0)
}

// Shape describes a range LOW..HIGH or a list of values for each path of a
// field.
func (p *Params) Shape() strict.Shape {
	values := strict.ListShape(strict.Shape{}, 2, 0)
	return strict.TableShape(strict.ChoiceShape("a range or a list of values", strict.TextShape("a range"), values))
}

// Shape describes a number of seeds or a list of them.
func (s *Seeds) Shape() strict.Shape {
	count := strict.IntegerShape(1, MaxSeeds)
	list := strict.TextShape("a list such as 3,7,11")
	return strict.ChoiceShape("a whole number or a list", count, list, strict.ListShape(strict.TextShape("a seed"), 1, MaxSeeds))
}

// Shape describes a metric.
func (s *Subject) Shape() strict.Shape { return strict.TextShape("a metric") }

// Shape describes a metric, perhaps with minimise or maximise before it.
func (o *Objective) Shape() strict.Shape { return strict.TextShape("a metric") }

// Shape describes a metric, or metrics with their weights.
func (g *Goals) Shape() strict.Shape {
	return strict.ChoiceShape("a metric, or metrics with weights", strict.TextShape("a metric"), strict.TableShape(strict.Shape{}))
}

// Shape describes an expect clause.
func (c *Clause) Shape() strict.Shape { return strict.TextShape("a condition") }

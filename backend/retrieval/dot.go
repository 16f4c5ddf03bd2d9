package retrieval

// dot is the similarity of two vectors of unit length; 0 for vectors of different dimensions.
func dot(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

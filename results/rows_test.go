package results

import (
	"bytes"
	"encoding/csv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTextTableHasTheTextsOfTheFile(t *testing.T) {
	run := tiny()
	run.Nodes[0] = `he said "0", twice`
	for _, written := range run.tables() {
		var file bytes.Buffer
		require.NoError(t, written.write(&file))
		want, err := csv.NewReader(&file).ReadAll()
		require.NoError(t, err)

		shown, ok := run.TextTable(written.file)
		require.True(t, ok)
		require.Equal(t, len(want)-1, shown.Rows, written.file)
		for c, column := range shown.Columns {
			require.Equal(t, want[0][c], column.Name)
			require.NotEmpty(t, column.Doc)
		}
		for i := range shown.Rows {
			require.Equal(t, want[i+1], shown.Row(i), "%s row %d", written.file, i)
		}
	}
	_, ok := run.TextTable("other.csv")
	require.False(t, ok)
}

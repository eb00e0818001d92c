/* What combinations.py needs to see of all entries: rows whose categories' columns hold the row's scale or nothing. */

/* Each row's largest entry by size, and of every column whether it has an entry (1), and one that is not its row's (2). */
int radmm_scales(int64_t rows, const int64_t *start, const int32_t *column, const double *value, double *scale, uint8_t *kind)
{
    for (int64_t row = 0; row < rows; row++) {
        const int64_t first = start[row], last = start[row + 1];
        double largest = 0.0;
        for (int64_t at = first; at < last; at++)
            if (fabs(value[at]) > fabs(largest)) largest = value[at];
        for (int64_t at = first; at < last; at++) kind[column[at]] |= value[at] == largest ? 1 : 2;
        scale[row] = largest;
    }
    return 0;
}

/* Which of each field's columns a row has, counted from 1, into code, (field, row) and zero before. A field of which some
   row has two columns is none: then the nearest such column is kept for each, and 1 returned. Columns that are in no
   field have −1. */
int radmm_field_codes(int64_t rows, const int64_t *start, const int32_t *column, const int32_t *field,
                      const int32_t *field_start, int32_t *code, int32_t *nearest)
{
    int conflict = 0;
    for (int64_t row = 0; row < rows; row++)
        for (int64_t at = start[row]; at < start[row + 1]; at++) {
            const int32_t this = column[at], own = field[this];
            if (own < 0) continue;
            int32_t *here = code + own * rows + row;
            if (*here) {
                const int32_t other = field_start[own] + *here - 1;
                const int32_t low = this < other ? this : other, high = this < other ? other : this;
                if (high < nearest[low]) nearest[low] = high;
                conflict = 1;
            }
            *here = this - field_start[own] + 1;
        }
    return conflict;
}

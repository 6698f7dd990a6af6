/* Files that ranks write in parallel are identical, byte for byte, to those written by one process, for any number of
 * ranks. If a run loses or damages messages, either the old snapshot or the new one is complete. */
#include "rank_steps.h"
#include "test.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "format/file.h"
#include "format/snapshot.h"
#include "format/tables.h"
#include "format/vtk.h"

/* ------------------------------------------------------------------ writing and comparing */

typedef struct writing {
	char folder[64];
	int64_t per_file;
	bool tables;
} writing;

/* Only the first rank has the file open. */
static bool write_table(const writing *o, const scree_world *w, table_kind kind, fail *why)
{
	static const char *const names[TABLE_CONTACTS + 1] = {"x_bodies.csv", "x_walls.csv", "x_contacts.csv"};
	char path[100];
	const csv_mark start = {0};
	snprintf(path, sizeof path, "%s/%s", o->folder, names[kind]);
	csv *t = w->work.domain.first ? scree_table_open(path, kind, w, &start, why) : NULL;
	if (w->work.domain.first && !t) return false;
	for (int64_t up_to = 0; up_to < 20; up_to += 9) /* first all rows, then only rows up to an id */
		if (!scree_table_rows(t, kind, w, up_to, why)) return false;
	return scree_csv_close(t, why);
}

static bool write_files(stepping *s, scree_world *w, char *said)
{
	const writing *o = s->for_end;
	const vtk_plan plan = {.on = true, .per_file = o->per_file};
	vtk_frames frames = {0};
	char path[100];
	fail why = {0};
	snprintf(path, sizeof path, "%s/x.snap", o->folder);
	bool good = scree_vtk_frame(w, &plan, o->folder, "x", &frames, &why) && scree_snapshot_write(w, NULL, path, &why);
	for (int kind = 0; kind <= TABLE_CONTACTS && o->tables; ++kind)
		good = good && write_table(o, w, (table_kind)kind, &why);
	if (!good) snprintf(said, SAID, "%.1100s", why.text);
	scree_free(frames.step);
	scree_free(frames.time);
	scree_free(frames.divided);
	return good;
}

static void *bytes_of(const char *folder, const char *name, size_t *length)
{
	char path[400];
	void *bytes = NULL;
	fail why;
	snprintf(path, sizeof path, "%s/%s", folder, name);
	if (!scree_file_read(path, (size_t)1 << 30, &bytes, length, &why)) *length = 0;
	return bytes;
}

static bool same_file(const char *a, const char *b, const char *name)
{
	size_t length[2];
	void *bytes[2] = {bytes_of(a, name, length), bytes_of(b, name, length + 1)};
	const bool same = bytes[0] && bytes[1] && length[0] == length[1] && !memcmp(bytes[0], bytes[1], length[0]);
	scree_free(bytes[0]);
	scree_free(bytes[1]);
	return same;
}

/* Calls a function with the name of each file; returns the number of files. */
static int each_file(const char *folder, void (*call)(const char *folder, const char *name, const void *of),
					 const void *of)
{
	DIR *list = opendir(folder);
	int count = 0;
	for (struct dirent *d; list && (d = readdir(list)) != NULL;) {
		if (d->d_name[0] == '.') continue;
		call(folder, d->d_name, of);
		++count;
	}
	if (list) closedir(list);
	return count;
}

static void compare(const char *folder, const char *name, const void *other)
{
	CHECK(same_file(folder, other, name), "%s/%s", folder, name);
}

static void remove_file(const char *folder, const char *name, const void *unused)
{
	char path[400];
	(void)unused;
	snprintf(path, sizeof path, "%s/%s", folder, name);
	unlink(path);
}

static void make_folder(writing *o)
{
	snprintf(o->folder, sizeof o->folder, "/tmp/scree_rank_files_XXXXXX");
	CHECK(mkdtemp(o->folder) != NULL, "%s", o->folder);
}

static void remove_folder(const writing *o)
{
	each_file(o->folder, remove_file, NULL);
	rmdir(o->folder);
}

static void nothing(const char *folder, const char *name, const void *unused)
{
	(void)folder, (void)name, (void)unused;
}

/* ------------------------------------------------------------------ the same bytes */

static const struct {
	const char *file;
	int steps;
	int64_t per_file;
	division of[4]; /* 0 ranks: none */
} rows[] = {
	{"scenes/settling_spheres.scene.yaml", 20, 3, {{1, {0}, false, false}, {64, {0}, true, false}}},
	{GIANT, 100, 50, {{5, {0}, true, false}}},
	{GIANT, 100, 0, {{7, {0}, false, true}}},
	{"tests/module/ranks/crowd.scene.yaml", 20, 29, {{6, {0}, true, false}}},
	{"scenes/periodic_bricks.scene.yaml", 2000, 10, {{4, {2, 2, 1}, false, false}}},
	{"scenes/flat_shear.scene.yaml", 300, 1, {{3, {0}, false, false}}},
	{"scenes/rain.scene.yaml", 3, 2, {{3, {0}, false, false}}}, /* no body */
	{STREAM, 700, 9, {{4, {2, 1, 2}, true, false}}},			/* ids with gaps */
};

static void files_are_those_of_one_process(void **state)
{
	(void)state;
	for (size_t n = 0; n < sizeof rows / sizeof *rows; ++n) {
		writing one = {.per_file = rows[n].per_file, .tables = true}, all = one;
		make_folder(&one);
		stepping *s = calloc(1, sizeof *s);
		*s = (stepping){.file = rows[n].file, .at_end = write_files, .for_end = &one};
		s->steps = test_few(rows[n].steps, 20);
		step_whole(s);
		CHECK(!*s->said, "%s: %s", s->file, s->said);
		s->for_end = &all;
		for (const division *d = rows[n].of; d->ranks; ++d) {
			make_folder(&all);
			step_on(s, d, 2);
			const int files = each_file(one.folder, compare, all.folder);
			CHECK(files > 7 && files == each_file(all.folder, nothing, NULL), "%s: %d files", s->file, files);
			print_message("%s, %d ranks: %d files, %lld contacts, across borders %lld in all steps\n", s->file,
						  d->ranks, files, (long long)s->touching[s->steps - 1], (long long)s->across);
			remove_folder(&all);
		}
		remove_folder(&one);
		free(s);
	}
}

/* ------------------------------------------------------------------ pieces */

enum { COLLECTORS = 5 };
static const size_t amounts[COLLECTORS] = {3, 0, ((size_t)3 << 20) + 5, 1, (size_t)1 << 20};

static uint8_t byte_of(int32_t rank, size_t k) { return (uint8_t)(k * 2654435761u >> (7 + rank)); }

typedef struct collected {
	int32_t rank;
	size_t at, most; /* at: number of bytes written by this rank so far */
	bool right;
} collected;

static void take(void *context, const void *bytes, size_t size)
{
	collected *o = context;
	while (o->rank < COLLECTORS && o->at == amounts[o->rank]) o->rank += 1, o->at = 0;
	o->right = o->right && o->rank < COLLECTORS && size <= amounts[o->rank] - o->at;
	for (size_t k = 0; o->right && k < size; ++k) o->right = ((const uint8_t *)bytes)[k] == byte_of(o->rank, o->at + k);
	o->at += size;
	o->most = size > o->most ? size : o->most;
}

static void collect(channel *c, void *what)
{
	rank_part part = {.c = c};
	const size_t size = amounts[c->rank];
	collected *all = what;
	uint8_t *bytes = malloc(size + 1);
	for (size_t k = 0; k < size; ++k) bytes[k] = byte_of(c->rank, k);
	scree_ranks_collect(&part, size, bytes, take, all + c->rank);
	free(bytes);
}

static void pieces_come_in_order(void **state)
{
	(void)state;
	FOR_SEEDS(6)
	{
		collected all[COLLECTORS] = {{1, 0, 0, true}};
		fail why[COLLECTORS] = {{0}};
		const thread_ranks ranks = {COLLECTORS, 1 + (int32_t)(test_seed % 3), test_seed, collect, all};
		CHECK(scree_thread_ranks_run(&ranks, why), "5 ranks");
		for (int k = 0; k < COLLECTORS; ++k) CHECK(!why[k].code, "rank %d: %s", k, why[k].text);
		CHECK(all->right && all->rank == COLLECTORS - 1 && all->at == amounts[COLLECTORS - 1], "rank %d, byte %zu",
			  all->rank, all->at);
		CHECK(all->most <= (size_t)1 << 20 && !all[1].most, "pieces of %zu bytes", all->most);
	}
}

/* ------------------------------------------------------------------ faults */

/* Each rank ends as in one process, or with an error message; the snapshot is either the old or the new one. */
static void faults_leave_a_whole_snapshot(void **state)
{
	(void)state;
	writing one = {.per_file = 20}, old = one, all = one;
	int64_t kept = 0, written = 0;
	make_folder(&one), make_folder(&old), make_folder(&all);
	stepping *s = calloc(1, sizeof *s);
	*s = (stepping){.file = "scenes/settling_spheres.scene.yaml", .steps = 9, .at_end = write_files, .for_end = &old};
	step_whole(s);
	s->steps = 10, s->for_end = &one;
	step_whole(s);
	s->for_end = &all;
	s->by = &scree_partition_grid;
	s->plan = (partition_plan){.ranks = 5};
	FOR_SEEDS(30)
	{
		const real often = test_seed % 4 ? (real)5e-4 : 0;
		const fault_script script = {test_seed, {often, (real)0.1, often, often}};
		const thread_ranks ranks = {5, 1 + (int32_t)(test_seed % 2), test_seed, step_rank, s};
		char path[100], from[100];
		snprintf(path, sizeof path, "%s/x.snap", all.folder);
		snprintf(from, sizeof from, "%s/x.snap", old.folder);
		unlink(path);
		CHECK(link(from, path) == 0, "%s", path);
		memset(s->rank_said, 0, sizeof s->rank_said);
		s->script = &script;
		CHECK(scree_thread_ranks_run(&ranks, NULL), "5 ranks");
		bool right = true;
		for (int k = 0; k < 5; ++k) {
			right = right && !*s->rank_said[k];
			CHECK(!*s->rank_said[k] || (often > 0 && strstr(s->rank_said[k], "rank ")), "rank %d: %s", k,
				  s->rank_said[k]);
		}
		const bool is_new = same_file(all.folder, one.folder, "x.snap");
		CHECK(is_new || (!right && same_file(all.folder, old.folder, "x.snap")), "the snapshot is neither old nor new");
		kept += !is_new, written += is_new;
	}
	print_message("%lld runs: %lld snapshots written, %lld old ones kept\n", (long long)test_cases(30),
				  (long long)written, (long long)kept);
	CHECK(test_cases(30) < 30 || (kept && written), "%lld kept, %lld written", (long long)kept, (long long)written);
	remove_folder(&one), remove_folder(&old), remove_folder(&all);
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_those_of_one_process),
		cmocka_unit_test(pieces_come_in_order),
		cmocka_unit_test(faults_leave_a_whole_snapshot),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

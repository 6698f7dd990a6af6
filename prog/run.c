/* run: a scene, or a snapshot to continue. */
#include "command.h"

int command_run(const arguments *a)
{
	const char *scene = a->words ? a->word[0] : NULL;
	if (!scene == !a->resume) {
		fputs("scree run: give either a scene file or --resume SNAPSHOT\n", stderr);
		return BAD_INPUT;
	}
	scree_called_as(command_name);
	return scree_run(&(scree_run_options){.scene = scene,
										  .resume = a->resume,
										  .folder = a->output,
										  .sets = a->sets,
										  .set = a->set,
										  .threads = a->threads,
										  .wall_seconds = a->wall_seconds,
										  .steps = a->steps,
										  .quiet = a->quiet,
										  .overwrite = a->overwrite,
										  .wait_for_space = a->wait_for_space});
}

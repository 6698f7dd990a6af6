/* fcl_mesh: FCL's distances between two meshes with OBBRSS trees, for the pairs written by bench_surfaces. FCL finds
 * only the nearest points, not all contacts.
 *
 * usage: peer_fcl_mesh FILE */
#include <chrono>
#include <cstdio>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/distance.h>
#include <memory>
#include <vector>

typedef fcl::BVHModel<fcl::OBBRSS<double>> mesh;
enum { PAIRS = 400 };

static std::unique_ptr<mesh> read(std::FILE *f)
{
	int vertices = 0, triangles = 0;
	if (std::fscanf(f, "%d %d", &vertices, &triangles) != 2) return nullptr;
	std::vector<fcl::Vector3<double>> v(static_cast<size_t>(vertices));
	std::vector<fcl::Triangle> t;
	for (auto &p : v)
		if (std::fscanf(f, "%lf %lf %lf", &p[0], &p[1], &p[2]) != 3) return nullptr;
	for (int k = 0; k < triangles; ++k) {
		size_t a, b, c;
		if (std::fscanf(f, "%zu %zu %zu", &a, &b, &c) != 3) return nullptr;
		t.emplace_back(a, b, c);
	}
	std::unique_ptr<mesh> m(new mesh);
	m->beginModel();
	m->addSubModel(v, t);
	m->endModel();
	return m;
}

int main(int argc, char **argv)
{
	std::FILE *f = argc > 1 ? std::fopen(argv[1], "r") : nullptr;
	if (!f) return 2;
	for (const char *name : {"touch", "near", "apart"}) {
		std::vector<std::unique_ptr<mesh>> all;
		for (int i = 0; i < 2 * PAIRS; ++i) {
			all.push_back(read(f));
			if (!all.back()) return 2;
		}
		double least = 1e30, sum = 0;
		const fcl::Transform3<double> still = fcl::Transform3<double>::Identity();
		for (int round = 0; round < 10; ++round) {
			auto start = std::chrono::steady_clock::now();
			sum = 0;
			for (size_t i = 0; i < PAIRS; ++i) {
				fcl::DistanceRequest<double> ask(true);
				fcl::DistanceResult<double> got;
				sum += fcl::distance(all[2 * i].get(), still, all[2 * i + 1].get(), still, ask, got);
			}
			std::chrono::duration<double, std::nano> t = std::chrono::steady_clock::now() - start;
			least = t.count() / PAIRS < least ? t.count() / PAIRS : least;
		}
		std::printf("%-6s fcl   %9.0f ns a pair %9.0f pairs/s  mean distance %.6g\n", name, least, 1e9 / least,
					sum / PAIRS);
	}
	return 0;
}

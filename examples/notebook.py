"""A notebook as a script: each `# %%` is a cell for editors that know them; `python notebook.py` runs it all."""

# %% [markdown]
# Ten hospitals, each with rows of its own, fit one classifier. How much privacy does that cost, and how much accuracy
# does the privacy cost?

# %%
import numpy as np

import radmm

rng = np.random.default_rng(0)
features = rng.standard_normal((6000, 8))
features /= np.maximum(1, np.linalg.norm(features, axis=1))[:, None]  # a privacy bound needs norms of at most 1
labels = np.where(features @ rng.standard_normal(8) + 0.3 * rng.standard_normal(6000) > 0, 1, -1)
train, test = slice(0, 5000), slice(5000, None)

# %% Ten hospitals in a ring
problem = radmm.Problem(features[train], labels[train], node=np.arange(5000) % 10, C=100.0, rho=0.01)
network = radmm.Network([(i, (i + 1) % 10) for i in range(10)])
algorithm = radmm.RADMM(penalty=1.0, gamma=0.5)
options = {"iterations": 20, "runs": 5, "test": (features[test], labels[test])}

# %% Without noise, and with noise for ever larger budgets
results = {"no noise": radmm.solve(problem, network, algorithm, **options)}
for budget in (0.5, 4.0):
    noise = radmm.calibrate(problem, network, algorithm, radmm.ObjectiveNoise, 20, epsilon=budget, delta=1e-5)
    result = radmm.solve(problem, network, algorithm, noise=noise, **options)
    print(result.epsilon(delta=1e-5))
    results[f"ε = {result.epsilon(delta=1e-5):.3g}"] = result

# %% What it costs: each ε is a total over all iterations, at δ = 1e-5, for replacing one row
for name, result in results.items():
    found = result.metrics("error_rate", "auc", "log_loss").mean()
    print(f"{name:10}  test error {found['error_rate']:.3f}, AUC {found['auc']:.3f}, log loss {found['log_loss']:.3f}")

# %% Keep the best private one; what is saved was released, so that using it costs nothing more
classifier = results[list(results)[-1]].classifier(averaged=True)
classifier.save("classifier.json")
print(radmm.Classifier.load("classifier.json").predict(features[test][:5]), "are", labels[test][:5])

# %% A picture of the last
results[list(results)[-1]].plot("loss", "error_rate").savefig("notebook.png")

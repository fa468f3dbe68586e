"""A model in mlflow: its file, its facts as parameters and tags, and its answers by `mlflow.pyfunc`.

    MLFLOW_ALLOW_FILE_STORE=true python examples/serve/mlflow_model.py MODEL.sap FOLDER TEXT ...

The run and the model go to FOLDER, and the texts are answered by the model that was loaded from there. It needs mlflow,
or mlflow-skinny with numpy and pandas. mlflow 3.17 wants a database, and takes a folder only where it is allowed.
"""

import sys
from pathlib import Path

import mlflow

import sapwood
from sapwood.model.facts import file_facts, notes_of


class SapwoodClassifier(mlflow.pyfunc.PythonModel):
    """Labels of texts. mlflow keeps this script and the model's file, and no pickle."""

    def load_context(self, context):
        self.model = sapwood.load(Path(context.artifacts["model"]))

    def predict(self, context, model_input: list[str], params=None) -> list[str]:
        return [str(label) for label in self.model.predict(model_input)]


def logged(path: Path, folder: Path) -> str:
    """Log a model file with its facts. Return the address of the model."""
    mlflow.set_tracking_uri(folder.resolve().as_uri())
    file = sapwood.load(path).model_
    with mlflow.start_run():
        mlflow.log_params({name: value for name, value in file.options.items() if not isinstance(value, list)})
        mlflow.set_tags({"sha256": file_facts(path)["sha256"], **file.provenance, **notes_of(file)})
        info = mlflow.pyfunc.log_model(
            name=path.stem,
            python_model=__file__,
            artifacts={"model": str(path)},
            pip_requirements=[f"sapwood=={sapwood.__version__}"],
        )
    return info.model_uri


mlflow.models.set_model(SapwoodClassifier())

if __name__ == "__main__":
    model, folder, *texts = sys.argv[1:]
    print("\n".join(mlflow.pyfunc.load_model(logged(Path(model), Path(folder))).predict(texts)))

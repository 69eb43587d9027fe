"""How Canvas and Moodle read a table of grades, as their own importers do (read on 2026-11-30;
their guides for teachers were not within reach):

Canvas: lib/gradebook_importer.rb of instructure/canvas-lms, commit 00b222d77ee4. The first column
has "Student", the second "ID", then come SIS User ID and SIS Login ID, then Section; what follows
are assignments. A student is found by ID, else by SIS User ID, else by the login, else by name.
Ohio State University's guide "Import a CSV file" for its Canvas names the same columns.
Moodle: mod/assign/feedback/offline/importgradeslib.php of moodle/moodle, commit 452e36fcf584, and
locallib.php, commit 04975560d10b. A worksheet needs Identifier, Grade and Last modified (grade); a
person is what follows "Participant "; a grade above the maximum is skipped, and so is one that
Moodle has changed after its date. Of an archive of feedback (feedback/file/importziplib.php, commit
0203d8f26027), a part of a path is NAME_NUMBER_assignfeedback_file."""

import csv
import zipfile

OF_CANVAS = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
OF_MOODLE = ["Identifier", "Grade", "Last modified (grade)"]


def lines_of(table):
    with open(table, newline="") as file:
        return list(csv.DictReader(file))


def grades_in_canvas(table, students):
    """By Canvas's id: the cells of the assignments. students: its id by the SIS id."""
    lines = lines_of(table)
    assert list(lines[0])[:5] == OF_CANVAS
    assert lines[0]["Student"].strip() == "Points Possible"
    assignments = list(lines[0])[5:]
    grades = {}
    for line in lines[1:]:
        found = line["ID"] or students.get(line["SIS User ID"])
        assert found, f"Canvas would look for the name {line['Student']}"
        grades[found] = tuple(line[assignment] for assignment in assignments)
    return grades


def grades_in_moodle(table):
    """By the number of the person: the grade and the comment."""
    lines = lines_of(table)
    assert set(OF_MOODLE) <= set(lines[0])
    assert all(float(line["Grade"] or 0) <= float(line["Maximum grade"]) for line in lines)
    return {line["Identifier"][len("Participant "):]:
            (line["Grade"], line["Feedback comments"]) for line in lines}


def feedback_in_moodle(archive):
    """By the number of the person: their files."""
    files = {}
    with zipfile.ZipFile(archive) as content:
        for path in content.namelist():
            parts = path.removeprefix("./").split("/")
            info = parts[0].split("_", 4)
            if len(info) < 4 or not info[1].isdigit() or not parts[-1]:
                continue
            assert info[2:4] == ["assignfeedback", "file"]
            files.setdefault(info[1], {})["/".join(parts[1:])] = content.read(path).decode()
    return files
